// Shares a night's summary through the device, as text or as a picture, where the device can.

const [text] = document.querySelectorAll("[data-night-text]");
const [picture] = document.querySelectorAll("[data-night-picture]");

/** @type {(content: ShareData) => Promise<void>} */
const share = async (content) => {
  try {
    await navigator.share(content);
  } catch (error) {
    // Closing the device's own dialog is no failure.
    if (!(error instanceof DOMException) || error.name !== "AbortError") throw error;
  }
};

const shareText = () =>
  share({ text: document.getElementById(text.dataset.nightText ?? "")?.textContent ?? "" });

/**
 * The picture is fetched before the tap: a device shares only what is ready then.
 * @type {(address: string) => Promise<void>}
 */
const offerPicture = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) return;
  const files = [new File([await answer.blob()], "chouette.png", { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return;
  picture.addEventListener("click", () => share({ files }));
  picture.hidden = false;
};

if (text && "share" in navigator) {
  text.addEventListener("click", shareText);
  text.hidden = false;
  offerPicture(picture.dataset.nightPicture ?? "");
}

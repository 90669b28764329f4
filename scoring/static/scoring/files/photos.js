// Photos are reduced before they are sent: those of a phone are large for a weak line, and say where they were taken.

const LEAST = 500_000; // bytes: smaller ones are sent as they are
const QUALITY = 0.85;
const READ = ["image/jpeg", "image/png", "image/webp"]; // by the server (clubs/pictures.py)

/** @type {(canvas: HTMLCanvasElement) => Promise<Blob | null>} */
const written = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));

/** @type {(file: File) => boolean} */
const isRead = (file) => READ.includes(file.type);
/** @type {(file: File) => boolean} */
const isSentAsItIs = (file) => isRead(file) && file.size < LEAST;

/**
 * The picture upright and at most `side` pixels wide and high, as a JPEG. A file that this browser cannot draw, a PDF for one,
 * stays what it is: the server says what it takes.
 * @type {(file: File, side: number) => Promise<File>}
 */
const reduced = async (file, side) => {
  if (isSentAsItIs(file)) return file;
  const picture = await createImageBitmap(file).catch(() => /** @type {ImageBitmap | null} */ (null));
  if (!picture) return file;
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d");
  if (!pen) return file;
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const blob = await written(canvas);
  if (!blob || (isRead(file) && blob.size >= file.size)) return file;
  return new File([blob], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: blob.type });
};

/** @type {(form: HTMLFormElement) => void} */
const listen = (form) => {
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  const side = Number(form.dataset.side);
  let isReduced = false;
  field.addEventListener("change", () => {
    isReduced = false;
  });
  form.addEventListener("submit", async (event) => {
    // What needs no wait is sent by this event: a form cannot be submitted anew before its event is over.
    if (isReduced || !field.files || [...field.files].every(isSentAsItIs)) return;
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    const sent = new DataTransfer();
    for (const file of field.files) sent.items.add(await reduced(file, side)); // one after the other: a phone has little memory
    field.files = sent.files;
    isReduced = true;
    button.disabled = false;
    form.requestSubmit(button);
  });
};

for (const form of document.querySelectorAll("form[data-side]"))
  listen(/** @type {HTMLFormElement} */ (form));

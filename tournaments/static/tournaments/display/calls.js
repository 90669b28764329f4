// Table-call notifications: subscribe the browser to its push service and send the address to the server.
"use strict";

(() => {
  const place = document.getElementById("calls");
  if (!place) return;
  const [on, off, state] = ["[data-on]", "[data-off]", "[data-state]"].map((each) =>
    place.querySelector(each),
  );
  /** @type {(name: string) => void} */
  const say = (name) => {
    state.textContent = place.querySelector(`[data-words="${name}"]`).innerHTML;
    on.hidden = name !== "off" && name !== "failed";
    off.hidden = name !== "on";
  };
  /** @type {(text: string) => Uint8Array<ArrayBuffer>} */
  const bytes = (text) => {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  /** @type {(subscription: PushSubscription, stop: boolean) => Promise<boolean>} */
  const tell = async (subscription, stop) => {
    const { endpoint, keys } = subscription.toJSON();
    const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
    if (stop) body.set("stop", "1");
    const answer = await fetch(place.dataset.here, {
      method: "POST",
      body,
      headers: { "X-CSRFToken": place.dataset.csrf },
    });
    return answer.ok;
  };
  const begin = async () => {
    if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
      say("cannot");
      return;
    }
    const worker = await navigator.serviceWorker.register(place.dataset.worker);
    const subscription = await worker.pushManager.getSubscription();
    if (Notification.permission === "denied") say("denied");
    else say(subscription && (await tell(subscription, false)) ? "on" : "off");
    on.addEventListener("click", async () => {
      try {
        if ((await Notification.requestPermission()) !== "granted") {
          say("denied");
          return;
        }
        const ready = await navigator.serviceWorker.ready;
        const made = await ready.pushManager.subscribe({
          userVisibleOnly: true,
          applicationServerKey: bytes(place.dataset.key),
        });
        say((await tell(made, false)) ? "on" : "failed");
      } catch {
        say("failed");
      }
    });
    off.addEventListener("click", async () => {
      const ready = await navigator.serviceWorker.ready;
      const known = await ready.pushManager.getSubscription();
      if (known) {
        await tell(known, true);
        await known.unsubscribe();
      }
      say("off");
    });
  };
  window.midpoint.during(begin()).catch(() => say("failed"));
})();

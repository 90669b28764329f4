// A field for a time zone: the browser knows the zones, and its own. Without this a name or a city is typed.

/** @type {NodeListOf<HTMLInputElement>} */
const fields = document.querySelectorAll('input[name="tz"]');
for (const field of fields) {
  const list = document.createElement("datalist");
  list.id = `${field.id}-zones`;
  for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) list.append(new Option(zone, zone));
  field.after(list);
  field.setAttribute("list", list.id);
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (own && field.dataset.guess === field.value) field.value = own;
}

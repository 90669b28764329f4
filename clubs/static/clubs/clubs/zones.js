// A time zone field: suggests the browser's zones. Without it a name or city is typed.

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

// Modules of one app import those of another by the address under which the site serves both: /static/<app>/...

import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const SERVED = /^[a-z]+\/static\/(([a-z]+)\/.+)$/;

registerHooks({
  resolve(specifier, context, next) {
    const address = /^\.\.?\//.test(specifier) ? new URL(specifier, context.parentURL).href : "";
    const [, path, app] =
      (address.startsWith(ROOT.href) && address.slice(ROOT.href.length).match(SERVED)) || [];
    if (!path || existsSync(fileURLToPath(address))) return next(specifier, context);
    return next(new URL(`${app}/static/${path}`, ROOT).href, context);
  },
});

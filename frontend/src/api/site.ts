/** Where the site is. The document of the workers' pages says it in its <base>; all addresses are relative to that. */

/** The path of the site: "/", or the prefix below which a proxy serves it, such as "/groundcrew/". */
export const SITE = new URL(document.baseURI).pathname;

/** What is kept in the browser has this in its name: another site may be below another prefix of the same host. */
export const NAME = SITE.slice(1) + "groundcrew";

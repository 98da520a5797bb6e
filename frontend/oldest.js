import about from "./package.json" with { type: "json" };

/** The oldest browsers that package.json names, as Vite takes them, such as "chrome111". */
export const OLDEST = about.browserslist.map((one) => one.replace("ios_saf", "ios").replace(" >= ", ""));

/** The oldest browsers that package.json names, as Vite takes them, such as "chrome111". */
export const OLDEST: string[];

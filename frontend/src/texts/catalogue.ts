/** What every language has to have: all texts of the English catalogue. */
export type Catalogue = Widen<typeof import("./en").default>;

/** The texts that only the pages round the work show. */
export type Rest = Widen<typeof import("./en/rest").default>;

/** The instructions, which are loaded when they are first opened. */
export type Instructions = Widen<typeof import("./en/instructions").default>;

/** The instructions of the stages about whole captions, which are loaded when one of them is wanted. */
export type CampaignInstructions = Widen<typeof import("./en/campaigns").default>;

/** What is said about a model's suggestions, which is loaded where there are some. */
export type Suggestions = Widen<typeof import("./en/suggestions").default>;

/** What is said where a photograph is called unusable. */
export type Unusable = Widen<typeof import("./en/unusable").default>;

/** What is said to who comes by the address of a batch. */
export type Linked = Widen<typeof import("./en/linked").default>;

/** What the instructions say about the keys for suggestions. */
export type SuggestionKeys = Widen<typeof import("./en/suggestion-keys").default>;

/** The same keys, with any string in place of the English one. */
type Widen<T> = T extends string
  ? string
  : T extends (...words: infer A) => string
    ? (...words: A) => string
    : { [K in keyof T]: Widen<T[K]> };

/** The further text when a page breaks, for those who have no other page of ours: whom to write to. */
export const rescue = { words: "" };

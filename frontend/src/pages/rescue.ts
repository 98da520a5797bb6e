/** What else is said where a page breaks: whom to write to, to those who have no other page of ours. */
export const rescue = { words: "" };

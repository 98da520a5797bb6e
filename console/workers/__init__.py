"""The pages about workers: their list, standing and answers, and setting their judgments aside."""

import css from "@eslint/css";

/**
 * The console's style sheets are served as they are written, without a build. Its oldest browsers (docs/workers.md)
 * came out in spring 2024: what browsers lacked at the end of that year is an error.
 */
export default [
  {
    files: ["**/*.css"],
    plugins: { css },
    language: "css/css",
    rules: {
      "css/use-baseline": [
        "error",
        {
          available: 2024,
          // Without these, a page looks a little different, and does the same.
          allowProperties: [
            "accent-color",
            "box-decoration-break",
            "forced-color-adjust",
            "resize",
            "user-select",
          ],
          allowPropertyValues: { "content-visibility": ["auto"] },
        },
      ],
    },
  },
];

// Sorts dropped files and folders into the inputs of the import page, lists what is chosen, and says what is missing
// before anything is sent. Without it, and by keyboard, the same inputs take the files one by one.

const PICTURE = /\.(jpe?g|jfif|png|webp)$/i;
const WORKBOOK = /\.(xlsx|xlsm|xls|ods|numbers)$/i;
const ARCHIVE = /\.zip$/i;
const CAPTIONS = /\.(csv|tsv|txt|token|jsonl?|parquet)(\.gz)?$/i;
const SPLIT = /^(train|val|test)\.txt$/;
const MAX_NAMED = 5;

const zone = document.querySelector("[data-drop]");
if (zone) follow(zone);

function follow(zone) {
  const form = zone.closest("form");
  const inputs = Object.fromEntries(["corpus", "pictures", "splits"].map((name) => [name, form.elements[name]]));
  const { place, format } = form.elements;
  const kept = Number(zone.dataset.kept); // photographs of an earlier upload, which are used again
  const alone = zone.querySelector("[data-drop-alone]");
  const list = zone.querySelector("[data-drop-list]");
  const clear = zone.querySelector("[data-drop-clear]");
  const mostPictures = Number(zone.dataset.mostPictures);
  const mostBytes = Number(zone.dataset.mostBytes);
  let left = [];

  /** Puts the files into an input, each name once, together with those that are there if there may be several. */
  function put(name, files) {
    if (!files.length) return;
    const input = inputs[name];
    const chosen = new Map([...(input.multiple ? input.files : []), ...files].map((file) => [file.name, file]));
    const transfer = new DataTransfer();
    for (const file of chosen.values()) transfer.items.add(file);
    input.files = transfer.files;
  }

  function sort(files) {
    const shown = files.filter((file) => !file.name.startsWith("."));
    const found = { picture: [], split: [], workbook: [], archive: [], captions: [], other: [] };
    for (const file of shown) found[kindOf(file.name)].push(file);
    const names = found.picture.map((file) => file.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    left = [];
    if (found.other.length) left.push(`Neither photographs (JPEG, PNG, WebP) nor captions, and left out: ${named(found.other)}.`);
    left.push(...found.workbook.map((file) => `${file.name} is a workbook: save the sheet as CSV, and drop that.`));
    if (twice) left.push(`Two photographs are called ${twice}: only one was taken.`);
    if (found.captions.length > 1) {
      left.push(`Only one file can have the captions: ${named(found.captions)} were left out.`);
      found.captions = [];
    }
    if (found.archive.length > 1) left.push("Only one ZIP archive can be taken at a time.");
    const archive = found.archive.slice(0, 1);
    const alone = archive.length && !found.captions.length && !found.picture.length && !inputs.corpus.files.length;
    put("corpus", alone ? archive : found.captions);
    put("pictures", alone ? [] : [...found.picture, ...archive]);
    put("splits", found.split);
    tell();
  }

  /** Lists what is chosen, and what is wrong with it. */
  function tell() {
    const corpus = [...inputs.corpus.files];
    const pictures = [...inputs.pictures.files];
    const all = [...corpus, ...pictures, ...inputs.splits.files];
    const bytes = all.reduce((sum, file) => sum + file.size, 0);
    const said = [];
    const wrong = [...left];
    // Who adds captions no longer means photographs alone.
    if (corpus.some((file) => CAPTIONS.test(file.name)) && format.value === zone.dataset.alone) format.value = "";
    const photographs = pictures.filter((file) => PICTURE.test(file.name));
    if (photographs.length) said.push(`${photographs.length} ${photographs.length === 1 ? "photograph" : "photographs"}`);
    const others = all.filter((file) => !photographs.includes(file));
    said.push(...others.map((file) => file.name));

    if (kept && !pictures.length) said.push("the photographs of the earlier import");
    const some = pictures.length || kept;
    // Their captions may be here already.
    if (pictures.length && !corpus.length && !place.value && !format.value && "captioned" in zone.dataset) {
      format.value = zone.dataset.alone;
    }
    const bare = some && !corpus.length && !place.value && format.value !== zone.dataset.alone;
    const missing = bare ? "The spreadsheet with the captions is missing." : "";
    alone.hidden = !bare;
    const many =
      photographs.length > mostPictures ? `More than ${mostPictures} photographs: pack them into one ZIP archive.` : "";
    const mixed =
      photographs.length && photographs.length < pictures.length ? "Choose photographs or one ZIP archive, not both." : "";
    const large = bytes > mostBytes ? "These files are too large for one upload: import them in parts." : "";
    inputs.corpus.setCustomValidity(missing || large);
    inputs.pictures.setCustomValidity(many || mixed);
    wrong.push(...[missing, many, mixed, large].filter(Boolean));
    if (corpus.some((file) => CAPTIONS.test(file.name)) && !some) said.push("no photographs yet");
    if (some && !corpus.length && format.value === zone.dataset.alone) said.push("no captions");

    list.replaceChildren(...said.map((words) => item(words)), ...wrong.map((words) => item(words, "wrong")));
    clear.hidden = !all.length && !left.length;
  }

  zone.hidden = false;
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", (event) => {
    if (!zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    sort(await filesOf(event.dataTransfer));
  });
  // A file that misses the zone would otherwise replace the page. Fields take files themselves.
  for (const kind of ["dragover", "drop"]) {
    window.addEventListener(kind, (event) => {
      if (!event.target.closest?.("input")) event.preventDefault();
    });
  }
  clear.addEventListener("click", () => {
    for (const input of Object.values(inputs)) input.value = "";
    left = [];
    tell();
    inputs.corpus.focus();
  });
  alone.querySelector("button").addEventListener("click", () => {
    format.value = zone.dataset.alone;
    tell();
    form.querySelector("button[type=submit]").focus();
  });
  for (const input of [...Object.values(inputs), place, format]) {
    input.addEventListener("input", () => {
      left = [];
      tell();
    });
  }
  tell(); // a browser may have kept the files when it went back to this page
}

function kindOf(name) {
  if (PICTURE.test(name)) return "picture";
  if (SPLIT.test(name)) return "split";
  if (WORKBOOK.test(name)) return "workbook";
  if (ARCHIVE.test(name)) return "archive";
  return CAPTIONS.test(name) ? "captions" : "other";
}

function named(files) {
  const names = files.slice(0, MAX_NAMED).map((file) => file.name);
  return names.join(", ") + (files.length > names.length ? ", …" : "");
}

function item(words, look = "") {
  const element = document.createElement("li");
  element.textContent = words;
  element.className = look;
  return element;
}

/** Returns the dropped files, with those in dropped folders. */
async function filesOf(transfer) {
  // The entries have to be asked for at once: the browser forgets them when this event is over.
  const entries = [...transfer.items].map((one) => one.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A reader hands out at most a hundred entries at a time, and none when it has no more.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return (await Promise.all(found.map(filesIn))).flat();
    found.push(...some);
  }
}

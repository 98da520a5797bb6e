// Sends the files of a form in pieces before the form, if they are large: proxies cut long requests off, and a lost
// connection then costs one piece. What has arrived stays for a day, so the same files go on where they were, also
// after the page was loaded again. Files that are no more than a piece altogether go with the form, and without this
// script all do.

const WAITS_S = [1, 2, 4, 8, 15, 30];
const SILENT_MS = 60_000; // a connection on which nothing moves for so long is lost
const RATE_MS = 20_000; // the time left is told by the rate of so long
const RECORDS = "groundcrew-uploads";
const MAX_RECORDS = 10;
const LOGGED_OUT = "You are logged out. Load this page again, log in and choose the same files: what has arrived stays.";
const STOPPED = "Stopped. What has arrived stays for a day: to go on, send the same files again.";
const CHANGED = "cannot be read any more. If it was changed, choose it again.";

for (const form of document.querySelectorAll("form[data-uploads]")) {
  form.addEventListener("submit", (event) => {
    const files = filesOf(form);
    if (files.reduce((sum, one) => sum + one.file.size, 0) <= Number(form.dataset.pieceBytes)) return;
    event.preventDefault();
    new Sending(form, files, event.submitter).start();
  });
  // A browser that goes back shows the page as it was left.
  window.addEventListener("pageshow", (event) => event.persisted && enable(form, true));
}

function filesOf(form) {
  return [...form.querySelectorAll("input[type=file]")].flatMap((input) =>
    [...input.files].map((file) => ({ part: input.dataset.part ?? input.name, file })),
  );
}

/** Lets the form be used, or not while its files are sent. */
function enable(form, usable) {
  for (const one of form.querySelectorAll("input[type=file], button:not([data-sending] button)")) one.disabled = !usable;
  for (const zone of form.querySelectorAll("[data-drop]")) zone.inert = !usable;
  if (usable) for (const one of form.querySelectorAll("[data-sent-field]")) one.remove();
}

/** The server will not take this, however often it is sent. `anew` says whether it may be if all is sent again. */
class Refused extends Error {
  constructor(message, anew = false) {
    super(message);
    this.anew = anew;
  }
}

class Sending {
  constructor(form, files, submitter) {
    Object.assign(this, { form, files, submitter });
    this.total = files.reduce((sum, one) => sum + one.file.size, 0);
    this.token = form.elements.csrfmiddlewaretoken.value;
    this.panel = form.querySelector("[data-sending]");
    this.stopping = new AbortController();
    this.rates = [];
  }

  async start() {
    const { panel } = this;
    const stop = () => this.stopping.abort();
    enable(this.form, false);
    panel.hidden = false;
    this.find("stop").addEventListener("click", stop);
    this.complain("");
    this.find("stop").focus();
    try {
      const upload = await this.sendAll();
      this.say("Everything has arrived. The server looks at it.");
      this.find("left").textContent = "";
      this.submit(upload);
    } catch (error) {
      panel.hidden = true;
      enable(this.form, true);
      const stopped = this.stopping.signal.aborted;
      this.complain(stopped ? STOPPED : error.message);
      this.submitter?.focus();
    } finally {
      this.find("stop").removeEventListener("click", stop);
    }
  }

  /** Sends what the server does not have yet, and returns the id of the upload. */
  async sendAll(again = false) {
    let record = again ? null : recorded(this.key);
    try {
      this.say(record ? "Looking what has arrived before." : "Sending.");
      const state = record ? await this.tryOn(() => this.ask("GET", record)) : await this.tryOn(() => this.begin());
      record = state.upload;
      keepRecord(this.key, record);
      this.arrived = this.total - state.to_come.reduce((sum, { start, end }) => sum + end - start, 0);
      this.say(this.arrived ? `Going on: ${inWords(this.arrived)} had arrived before.` : "Sending.");
      for (const piece of state.to_come) {
        await this.tryOn(() => this.sendPiece(record, piece));
        this.arrived += piece.end - piece.start;
      }
      this.show(0);
      return record;
    } catch (error) {
      if (again || !(error instanceof Refused && error.anew)) throw error;
      return this.sendAll(true);
    }
  }

  get key() {
    return JSON.stringify([
      this.form.dataset.uploads,
      ...this.files.map(({ part, file }) => [part, file.name, file.size, file.lastModified]),
    ]);
  }

  begin() {
    const files = this.files.map(({ part, file }) => ({ part, name: file.name, size: file.size }));
    return this.ask("POST", "", JSON.stringify(files), "application/json");
  }

  async sendPiece(upload, { file, piece, start, end }) {
    const { name } = this.files[file].file;
    let content;
    try {
      content = await this.files[file].file.slice(start, end).arrayBuffer();
    } catch {
      throw new Refused(`${name} ${CHANGED}`);
    }
    return this.ask("POST", `${upload}/?file=${file}&piece=${piece}`, content, "application/octet-stream");
  }

  /** Asks the server, and returns its reply. */
  ask(method, path, body = null, type = "") {
    const address = `${this.form.dataset.uploads}${path && !path.includes("/") ? `${path}/` : path}`;
    const request = new XMLHttpRequest();
    return new Promise((resolve, reject) => {
      const { signal } = this.stopping;
      const abort = () => request.abort();
      let timer;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(abort, SILENT_MS);
      };
      const end = (act) => () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        act();
      };
      signal.addEventListener("abort", abort);
      request.open(method, address);
      request.setRequestHeader("X-CSRFToken", this.token);
      if (type) request.setRequestHeader("Content-Type", type);
      request.upload.addEventListener("progress", ({ loaded }) => {
        alive();
        if (type === "application/octet-stream") this.show(loaded);
      });
      request.addEventListener("load", end(() => settle(request, address, resolve, reject)));
      for (const kind of ["error", "abort"]) {
        request.addEventListener(kind, end(() => reject(new Error("The connection was lost."))));
      }
      alive();
      request.send(body);
    });
  }

  /** Does something until it succeeds, with longer and longer waits, unless the server refuses it. */
  async tryOn(act) {
    for (let tries = 0; ; tries += 1) {
      this.stopping.signal.throwIfAborted();
      try {
        const result = await act();
        if (tries) this.say("Sending again.");
        return result;
      } catch (error) {
        if (error instanceof Refused || this.stopping.signal.aborted) throw error;
        await this.rest(error.message, WAITS_S[Math.min(tries, WAITS_S.length - 1)]);
        this.rates = [];
      }
    }
  }

  /** Waits, until the network is back, or until somebody presses the button. */
  async rest(said, seconds) {
    const now = this.find("now");
    this.show(0);
    this.find("left").textContent = "";
    this.say(`${said} What has arrived stays. Trying again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`);
    now.hidden = false;
    const over = new AbortController();
    await new Promise((resolve) => {
      const { signal } = over;
      const timer = setTimeout(resolve, seconds * 1000);
      signal.addEventListener("abort", () => clearTimeout(timer));
      now.addEventListener("click", resolve, { signal });
      window.addEventListener("online", resolve, { signal });
      this.stopping.signal.addEventListener("abort", resolve, { signal });
    });
    over.abort();
    if (document.activeElement === now) this.find("stop").focus();
    now.hidden = true;
    this.say("Trying again.");
  }

  find(name) {
    return this.panel.querySelector(`[data-sending-${name}]`);
  }

  /** Only what is different, so that a screen reader is told of events and not of every second. */
  say(words) {
    const place = this.find("said");
    if (place.textContent !== words) place.textContent = words;
  }

  complain(words) {
    const place = this.form.querySelector("[data-sending-wrong]");
    place.textContent = words;
    place.hidden = !words;
  }

  /** Shows how many bytes have arrived, with those of the piece under way. */
  show(underWay) {
    const sent = this.arrived + Math.min(underWay, this.total - this.arrived);
    const now = performance.now();
    this.rates = [...this.rates.filter(([time]) => now - time < RATE_MS), [now, sent]];
    const [[time, before]] = this.rates;
    const rate = (sent - before) / (now - time);
    this.find("bar").value = sent / this.total;
    this.find("sent").textContent = `${inWords(sent)} of ${inWords(this.total)}`;
    this.find("left").textContent = now - time > 1000 && rate > 0 ? timeLeft((this.total - sent) / rate / 1000) : "";
  }

  /** Sends the form, with the id of the upload in place of the files. */
  submit(upload) {
    this.hide("upload", upload);
    if (this.submitter?.name) this.hide(this.submitter.name, this.submitter.value);
    this.form.submit();
  }

  hide(name, value) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    field.dataset.sentField = "";
    this.form.append(field);
  }
}

/** Resolves with the reply, rejects with Refused if it is final, and with another error if it is worth another try. */
function settle(request, address, resolve, reject) {
  const { status } = request;
  // A request without a session ends at the page to log in.
  if (status === 403 || (status === 200 && new URL(request.responseURL).pathname !== new URL(address, location).pathname)) {
    reject(new Refused(LOGGED_OUT));
    return;
  }
  let said = null;
  try {
    said = JSON.parse(request.responseText);
  } catch {
    // a page of a proxy
  }
  if (status === 200 && said) resolve(said);
  else if (status === 200) reject(new Refused("Another page came in place of a reply: reload this page, and log in to your proxy if it asks."));
  else if ((status === 409 || status === 422) && said?.error) reject(new Refused(said.error, status === 409));
  else if (status === 413) reject(new Refused("A proxy before the server takes no pieces of this size: tell your operator."));
  else if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    reject(new Refused(`The server refuses the files (status ${status}).`));
  } else reject(new Error(status === 503 ? "The server is busy." : "The server did not take a piece."));
}

function inWords(bytes) {
  const gigabytes = bytes >= 1e9;
  const digits = gigabytes ? 2 : 1;
  const shown = (bytes / (gigabytes ? 1e9 : 1e6)).toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${shown} ${gigabytes ? "GB" : "MB"}`;
}

function timeLeft(seconds) {
  if (seconds < 60) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
  const hours = Math.round(minutes / 6) / 10;
  return `about ${hours} ${hours === 1 ? "hour" : "hours"} left`;
}

function records() {
  try {
    return JSON.parse(localStorage.getItem(RECORDS)) ?? [];
  } catch {
    return []; // nothing may be stored here
  }
}

/** Returns the id of the upload of these files that began before, or undefined. */
function recorded(key) {
  return records().find((one) => one.key === key)?.upload;
}

function keepRecord(key, upload) {
  const kept = [{ key, upload }, ...records().filter((one) => one.key !== key)].slice(0, MAX_RECORDS);
  try {
    localStorage.setItem(RECORDS, JSON.stringify(kept));
  } catch {
    // without it, the same files begin anew after a reload
  }
}

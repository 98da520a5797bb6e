// Follows a job: asks every second how far it is, less often while nobody answers, and loads the page anew when
// the job has ended. Without it the page says the same whenever it is loaded.

const EVERY_MS = 1_000;
const SLOWEST_MS = 30_000;
const place = document.querySelector("[data-progress]");
const bar = place.querySelector("progress");
const news = place.querySelector("[data-job=news]");
const usual = news.textContent;
let wait = EVERY_MS;

/** Only what is different, so that a screen reader is told of a new phase and not of every second. */
function say(name, words) {
  const element = document.querySelector(`[data-job="${name}"]`);
  if (element && element.textContent !== words) element.textContent = words;
}

function show(job) {
  for (const name of ["state", "phase", "said", "rate", "left"]) say(name, job[name]);
  say("problems", job.problems.toLocaleString("en"));
  document.querySelector("[data-job=state]").className = `pill ${job.look}`;
  if (job.total) {
    bar.max = job.total;
    bar.value = job.done;
  } else {
    bar.removeAttribute("value");
  }
}

async function look() {
  try {
    const reply = await fetch(place.dataset.progress, { redirect: "manual", cache: "no-store" });
    if (reply.type === "opaqueredirect" || reply.status === 403) {
      say("news", "You are logged out: load the page again to go on.");
      return;
    }
    if (!reply.ok) throw new Error(String(reply.status));
    const job = await reply.json();
    if (job.ended) {
      location.reload();
      return;
    }
    show(job);
    say("news", usual);
    wait = EVERY_MS;
  } catch {
    wait = Math.min(2 * wait, SLOWEST_MS);
    say("news", "The server does not answer; the job goes on without this page.");
  }
  setTimeout(look, wait);
}

setTimeout(look, wait);

import type { Unusable } from "../catalogue";

export default {
  ask: "A foto é inutilizável?",
  note: "Ela não carrega, ou não dá para distinguir nada. Outra pessoa é consultada.",
  paid: "A página é paga mesmo assim.",
  yes: "Sim, inutilizável",
  other: "Outra resposta",
} satisfies Unusable;

// What fingers have chosen on the table and not recorded yet: cubes to double, or doubles taken and passed.

const isExtra = (key) => key.includes(">");

export class Choice {
  constructor() {
    this.clear();
  }

  clear() {
    this.cubes = new Set();
    this.answers = new Map(); // cube -> "take" or "pass"
  }

  /** Forget what the table no longer knows. */
  follow(view) {
    const asked = new Set(this.asks(view).flatMap((action) => action.cubes));
    const known = new Set((view.game?.cubes ?? []).map((cube) => cube.key));
    for (const key of this.answers.keys()) if (!asked.has(key)) this.answers.delete(key);
    for (const key of this.cubes) if (!known.has(key)) this.cubes.delete(key);
    if (asked.size) this.cubes.clear();
  }

  toggle(key) {
    if (!this.cubes.delete(key)) this.cubes.add(key);
  }

  answer(key, word) {
    if (this.answers.get(key) === word) this.answers.delete(key);
    else this.answers.set(key, word);
  }

  asks(view) {
    return view.actions.filter((action) => action.kind === "answer");
  }

  /** Who of a side ("box", "crew") may double which cubes: [{by, cubes}]. An extra is doubled by itself. */
  possible(view, side, box) {
    return view.actions
      .filter(({ kind, by }) => kind === "offer" && (by[0] === box) === (side === "box"))
      .flatMap(({ by, cubes }) => [cubes.filter((key) => !isExtra(key)), ...cubes.filter(isExtra).map((key) => [key])].map((group) => ({ by: by[0], cubes: group })))
      .filter(({ cubes }) => cubes.length);
  }

  /** The offers that the chosen cubes stand for. */
  offers(view, side, box) {
    return this.possible(view, side, box)
      .map(({ by, cubes }) => ({ by, cubes: cubes.filter((key) => this.cubes.has(key)) }))
      .filter(({ cubes }) => cubes.length);
  }

  /** The answers, one for each person who is asked; `rest` is what they do about cubes that were not tapped. */
  replies(view, rest = null) {
    return this.asks(view)
      .map(({ by, cubes, all = false }) => {
        const said = cubes.map((key) => [key, this.answers.get(key) ?? rest]);
        const of = (word) => said.filter(([, answer]) => answer === word).map(([key]) => key);
        return { by: by[0], takes: of("take"), passes: of("pass"), whole: !all || said.every(([, answer]) => answer) };
      })
      .filter(({ takes, passes }) => takes.length + passes.length);
  }
}

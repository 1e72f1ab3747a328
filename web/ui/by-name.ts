/** One of several looks for a name: the same for the same name, wherever it appears. */
export function byName<Look>(name: string, looks: readonly [Look, ...Look[]]): Look {
  let sum = 7
  for (const character of name) sum = (sum * 131 + (character.codePointAt(0) ?? 0)) % 65_521
  return looks[sum % looks.length] ?? looks[0]
}

/** Returns one of several looks for a name. The same name always has the same look. */
export function pickByName<Look>(name: string, looks: readonly [Look, ...Look[]]): Look {
  let sum = 7
  for (const character of name) sum = (sum * 131 + (character.codePointAt(0) ?? 0)) % 65_521
  return looks[sum % looks.length] ?? looks[0]
}

type Provider = { domains: readonly string[]; dotsIgnored?: boolean; tagSign?: string }

/** Large providers that give an inbox other addresses too, besides those with a plus sign. */
const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], dotsIgnored: true },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], dotsIgnored: true },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'], tagSign: '-' },
]

/**
 * Returns the inbox that an address most likely reaches. Limits count per inbox, so that variants of an address count as one.
 * Two people may have the same result, so the result identifies no person.
 */
export function inboxOf(email: string): string {
  const atSign = email.lastIndexOf('@')
  const domain = email.slice(atSign + 1).toLowerCase()
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  let local = email.slice(0, atSign).toLowerCase()
  for (const sign of ['+', provider?.tagSign]) local = (sign && local.split(sign)[0]) || local
  if (provider?.dotsIgnored) local = local.replaceAll('.', '')
  return `${local}@${provider?.domains[0] ?? domain}`
}

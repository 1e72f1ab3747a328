import type { Config } from '#server/bank/config.ts'
import { pageUrl } from '#server/mail/link.ts'
import { idOfToken, idToken } from '#server/platform/secrets/id-token.ts'

const PURPOSE = 'payment claim'

/** Returns the token that proves that a person has the link to a payment. */
export function claimToken(config: Pick<Config, 'secret'>, operationId: string): string {
  return idToken(config, PURPOSE, operationId)
}

/** Returns the operation of a token; null if the bank did not make the token. */
export function operationOfClaimToken(config: Pick<Config, 'secret'>, token: string): string | null {
  return idOfToken(config, PURPOSE, token)
}

/** Returns the address of the link. The token is in the query because no route of the app has parameters. */
export function claimUrl(config: Pick<Config, 'secret' | 'origin' | 'port'>, operationId: string): string {
  return pageUrl(config, `/claim?token=${claimToken(config, operationId)}`)
}

import type { Config } from '#server/bank/config.ts'
import { linkTo } from '#server/mail/link.ts'
import { idOfToken, idToken } from '#server/platform/secrets/id-token.ts'

const PURPOSE = 'payment claim'

/** What proves that somebody was given the link to a payment. */
export function claimToken(config: Pick<Config, 'secret'>, operationId: string): string {
  return idToken(config, PURPOSE, operationId)
}

/** The operation a token speaks for, or null for one the bank did not make. */
export function operationOfClaimToken(config: Pick<Config, 'secret'>, token: string): string | null {
  return idOfToken(config, PURPOSE, token)
}

/** Where a person opens the link. The token is in the query because no route of the app has parameters. */
export function claimUrl(config: Pick<Config, 'secret' | 'origin' | 'port'>, operationId: string): string {
  return linkTo(config, `/claim?token=${claimToken(config, operationId)}`)
}

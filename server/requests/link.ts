import type { Config } from '#server/bank/config.ts'
import { linkTo } from '#server/mail/link.ts'
import { idOfToken, idToken } from '#server/platform/secrets/id-token.ts'

const PURPOSE = 'money request'

/** What proves that somebody was given the link to a request. */
export function requestToken(config: Pick<Config, 'secret'>, requestId: string): string {
  return idToken(config, PURPOSE, requestId)
}

/** The request a token speaks for, or null for one the bank did not make. */
export function requestOfToken(config: Pick<Config, 'secret'>, token: string): string | null {
  return idOfToken(config, PURPOSE, token)
}

/** Where a person opens the link, as the mail about a request says it too. */
export function requestUrl(config: Pick<Config, 'secret' | 'origin' | 'port'>, requestId: string): string {
  return linkTo(config, `/request?link=${requestToken(config, requestId)}`)
}

import type { Config } from '#server/bank/config.ts'
import { pageUrl } from '#server/mail/link.ts'
import { idOfToken, idToken } from '#server/platform/secrets/id-token.ts'

const PURPOSE = 'money request'

/** Returns the token of a request's link. The token proves that its holder received the link. */
export function requestToken(config: Pick<Config, 'secret'>, requestId: string): string {
  return idToken(config, PURPOSE, requestId)
}

/** Returns the request id of a token, or null if the bank did not issue the token. */
export function requestOfToken(config: Pick<Config, 'secret'>, token: string): string | null {
  return idOfToken(config, PURPOSE, token)
}

/** Returns the URL of a request's link, which is also in the mail about the request. */
export function requestUrl(config: Pick<Config, 'secret' | 'origin' | 'port'>, requestId: string): string {
  return pageUrl(config, `/request?link=${requestToken(config, requestId)}`)
}

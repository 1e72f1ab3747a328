import type { Config } from '#server/platform/config.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

/** The address at which a person opens a page of the bank: `linkTo(config, '/claim?token=x')`. */
export function linkTo({ origin, port }: Pick<Config, 'origin' | 'port'>, path: string): string {
  return `${origin ?? `http://localhost:${port}`}${path}`
}

const LINK = { kind: 'link in a mail', owner: 'its reader' }
const TOKEN = /(?<=[?&]token=)[\w-]+/
const SEALED_TOKEN = /(?<=[?&]token=)sealed_([\w-]+)/g

/**
 * The same link for the text of a mail, as the database keeps it: whoever has a link can use it, so its token is
 * sealed. Whatever delivers or shows the mail opens it.
 */
export function sealedLink(config: Pick<Config, 'secret'>, link: string): string {
  return link.replace(TOKEN, (token) => `sealed_${seal(config, LINK, Buffer.from(token)).toString('base64url')}`)
}

/** The text of a mail as it is read: its links say their tokens. */
export function withOpenLinks(config: Pick<Config, 'secret'>, text: string): string {
  return text.replace(SEALED_TOKEN, (asKept, sealed: string) => {
    try {
      return unseal(config, LINK, Buffer.from(sealed, 'base64url')).toString()
    } catch {
      // A name can be spelled like this too, and a bank's secret can have changed since.
      return asKept
    }
  })
}

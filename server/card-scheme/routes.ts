import { cardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { receiveMessage } from '#server/card-scheme/receive.ts'
import type { Deps } from '#server/platform/deps.ts'
import { admitAs } from '#server/bank/admission.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { limitBody } from '#server/platform/http/body.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { HOOKS_WAIT_MS } from '#server/platform/jobs/date-gate.ts'
import { signedWith } from '#server/platform/http/signed-requests.ts'
import { parseStrictJson } from '#server/platform/http/strict-json.ts'

/**
 * Receives the card scheme's messages (docs/card-scheme.md). They come from a server and not from a page. The route is
 * therefore outside /api, and a signature replaces the session and the Origin check. A bank without a scheme does not have the
 * route.
 */
export function cardSchemeRoutes({ config }: Pick<Deps, 'config'>) {
  const routes = openRouter()
  const { cardSchemeSecret: secret, previousCardSchemeSecret: previous } = config
  if (secret === null) return routes
  return routes.post(
    '/hooks/cards',
    limitBody(),
    signedWith(secret, previous),
    admitAs('cards'),
    wholeAmounts,
    async (c) => {
      const deps = c.get('deps')
      const { outgoing } = c.env
      const body = parseStrictJson(await c.req.text())
      const message = cardMessage.safeParse(body)
      if (!message.success) throw refusalOfInvalid(body, message.error)
      try {
        const answer = () => receiveMessage(deps, message.data, () => !outgoing.destroyed)
        return c.json(await deps.dates.pass(answer, HOOKS_WAIT_MS), 200)
      } catch (error) {
        const { type, messageId, authorisationId } = message.data
        // These codes are about the bank's load and limits, and no errors of the scheme.
        if (error instanceof Refusal && error.code !== 'unavailable' && error.code !== 'too_many_requests')
          deps.log.warn(
            { code: error.code, type, messageId, authorisationId },
            'the card scheme sent an impossible message',
          )
        throw error
      }
    },
  )
}

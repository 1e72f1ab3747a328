import { z } from '@hono/zod-openapi'
import { stepUp, stepUpRequest } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { writeSessionCookie } from '#server/identity/access/session.ts'
import { proverOf } from '#server/identity/access/step-up.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { giveProof, readStepUp } from '#server/identity/step-up/step-up.ts'

const params = z.object({ token: z.string().max(100) })

export const stepUpRoutes = routes('Security')
  .get(
    '/step-ups/{token}',
    {
      refuses: ['step_ended'],
      summary: 'How you can show once more who you are',
      params,
      response: stepUp,
      responseDescription: 'Any one of these',
    },
    (c) => readStepUp(c.deps, proverOf(c.http), c.params.token),
  )
  .post(
    '/step-ups/{token}',
    {
      key: 'none',
      refuses: ['proof_refused', 'step_ended'],
      summary: 'Show once more who you are',
      description:
        'Then send the request that was refused again, as it was, with the token in the header Step-Up, within five minutes of the refusal. The session goes on under a new cookie.',
      middleware: shareOfAddress('proofs'),
      params,
      body: stepUpRequest,
    },
    async (c) => {
      const { token } = c.params
      writeSessionCookie(c.http, await giveProof(c.deps, proverOf(c.http), token, c.body))
    },
  )

import { z } from '@hono/zod-openapi'
import { stepUp, stepUpRequest } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { writeSessionCookie } from '#server/identity/access/session.ts'
import { proverOf } from '#server/identity/access/step-up.ts'
import { limitConcurrencyByAddress } from '#server/platform/http/concurrency-limit.ts'
import { submitProof, readStepUp } from '#server/identity/step-up/step-up.ts'

const params = z.object({ token: z.string().max(100) })

export const stepUpRoutes = routes('Security')
  .get(
    '/step-ups/{token}',
    {
      refuses: ['step_ended'],
      summary: 'The ways to prove your identity again',
      params,
      response: stepUp,
      responseDescription: 'One of these is enough',
    },
    (c) => readStepUp(c.deps, proverOf(c.http), c.params.token),
  )
  .post(
    '/step-ups/{token}',
    {
      key: 'none',
      refuses: ['proof_refused', 'step_ended'],
      summary: 'Prove your identity again',
      description:
        'After that, repeat the refused request unchanged with the token in the header Step-Up, within five minutes of the refusal. The session continues under a new cookie.',
      middleware: limitConcurrencyByAddress('proofs'),
      params,
      body: stepUpRequest,
    },
    async (c) => {
      const { token } = c.params
      writeSessionCookie(c.http, await submitProof(c.deps, proverOf(c.http), token, c.body))
    },
  )

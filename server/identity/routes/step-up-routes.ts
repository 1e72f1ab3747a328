import { z } from '@hono/zod-openapi'
import { stepUp, stepUpRequest } from '#contract/identity.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { writeSessionCookie } from '#server/identity/access/session.ts'
import { proverOf } from '#server/identity/access/step-up.ts'
import { shareOfAddress } from '#server/platform/http/share.ts'
import { giveProof, readStepUp } from '#server/identity/step-up/step-up.ts'

const tags = ['Security']
const params = z.object({ token: z.string().max(100) })

const read = defineRoute({
  method: 'get',
  path: '/step-ups/{token}',
  summary: 'How you can show once more who you are',
  tags,
  request: { params },
  responses: { 200: { description: 'Any one of these', content: { 'application/json': { schema: stepUp } } } },
})

const prove = defineRoute({
  method: 'post',
  path: '/step-ups/{token}',
  needs: { key: 'none' },
  summary: 'Show once more who you are',
  description:
    'Then send the request that was refused again, as it was, with the token in the header Step-Up, within five minutes of the refusal. The session goes on under a new cookie.',
  tags,
  middleware: shareOfAddress('proofs'),
  request: { params, body: { required: true, content: { 'application/json': { schema: stepUpRequest } } } },
  responses: { 204: { description: 'The proof was accepted' } },
})

export const stepUpRoutes = router()
  .openapi(read, async (c) => c.json(await readStepUp(c.get('deps'), proverOf(c), c.req.valid('param').token), 200))
  .openapi(prove, async (c) => {
    const { token } = c.req.valid('param')
    writeSessionCookie(c, await giveProof(c.get('deps'), proverOf(c), token, c.req.valid('json')))
    return c.body(null, 204)
  })

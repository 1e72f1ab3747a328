import { conversation, exchange, questionRequest } from '#contract/advisor.ts'
import { ask, clearConversation, readConversation, readExchange } from '#server/advisor/service.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'

const tags = ['Advisor']
/** Faster than anybody reads. */
const QUESTIONS = { name: 'advisor-questions', points: 40, seconds: 10 * 60 }

const getConversation = defineRoute({
  method: 'get',
  path: '/advisor',
  summary: 'What you asked the advisor, and what it replied',
  tags,
  responses: { 200: { description: 'The latest 100', content: { 'application/json': { schema: conversation } } } },
})

const getExchange = defineRoute({
  method: 'get',
  path: '/advisor/questions/{id}',
  summary: 'One question, with its reply as far as it is written',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'As it stands', content: { 'application/json': { schema: exchange } } } },
})

const postQuestion = (middleware: ReturnType<typeof limitByCustomer>) =>
  defineRoute({
    method: 'post',
    path: '/advisor/questions',
    needs: { load: 'reads' },
    middleware,
    summary: 'Ask the advisor',
    description: 'Where `writing` is true, more of the reply is to come: ask for the question again by its id.',
    tags,
    request: { body: { required: true, content: { 'application/json': { schema: questionRequest } } } },
    responses: { 200: { description: 'With its reply', content: { 'application/json': { schema: exchange } } } },
  })

const deleteConversation = defineRoute({
  method: 'delete',
  path: '/advisor',
  summary: 'Clear the conversation',
  tags,
  responses: { 204: { description: 'Nothing of it is kept' } },
})

export const advisorRoutes = ({ limiters }: Pick<Deps, 'limiters'>) =>
  router()
    .openapi(getConversation, async (c) => {
      const exchanges = await readConversation(c.get('deps'), c.get('customer').id)
      return c.json({ exchanges }, 200)
    })
    .openapi(getExchange, async (c) =>
      c.json(await readExchange(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)), 200),
    )
    .openapi(postQuestion(limitByCustomer({ limiters }, QUESTIONS)), async (c) => {
      const { question } = c.req.valid('json')
      return c.json(await ask(c.get('deps'), c.get('customer'), question, c.get('key')), 200)
    })
    .openapi(deleteConversation, async (c) => {
      await clearConversation(c.get('deps'), c.get('customer').id)
      return c.body(null, 204)
    })

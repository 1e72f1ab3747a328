import { conversation, exchange, questionRequest } from '#contract/advisor.ts'
import { ask, clearConversation, readConversation } from '#server/advisor/service.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'

/** Faster than anybody reads. */
const QUESTIONS = { name: 'advisor-questions', points: 40, seconds: 10 * 60 }

export const advisorRoutes = routes('Advisor')
  .get(
    '/advisor',
    {
      summary: 'What you asked the advisor, and what it replied',
      response: conversation,
      responseDescription: 'The latest 100',
    },
    async (c) => {
      const exchanges = await readConversation(c.deps, c.customer.id)
      return { exchanges }
    },
  )
  .post(
    '/advisor/questions',
    {
      // A model may be waited for, without a turn that others wait for meanwhile.
      load: 'slow',
      middleware: limitByCustomer(QUESTIONS),
      refuses: ['not_found'],
      summary: 'Ask the advisor',
      body: questionRequest,
      response: exchange,
      responseDescription: 'With its reply',
    },
    (c) => ask(c.deps, c.customer, c.body.question, c.key),
  )
  .delete('/advisor', { summary: 'Clear the conversation' }, async (c) => {
    await clearConversation(c.deps, c.customer.id)
  })

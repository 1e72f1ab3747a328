import { conversation, advisorExchange, questionRequest } from '#contract/advisor.ts'
import { askAdvisor, clearConversation, readConversation } from '#server/advisor/service.ts'
import { limitByCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'

/** The limit of questions. A person cannot read that many replies in ten minutes. */
const QUESTIONS = { name: 'advisor-questions', points: 40, seconds: 10 * 60 }

export const advisorRoutes = routes('Advisor')
  .get(
    '/advisor',
    {
      summary: 'Your conversation with the advisor',
      response: conversation,
      responseDescription: 'The latest 100 questions',
    },
    async (c) => {
      const exchanges = await readConversation(c.deps, c.customer.id)
      return { exchanges }
    },
  )
  .post(
    '/advisor/questions',
    {
      // The request may wait for a model. While it waits, it does not hold a turn of the reads.
      load: 'slow',
      middleware: limitByCustomer(QUESTIONS),
      refuses: ['not_found'],
      summary: 'Ask the advisor',
      body: questionRequest,
      response: advisorExchange,
      responseDescription: 'The question with its reply',
    },
    (c) => askAdvisor(c.deps, c.customer, c.body.question, c.key),
  )
  .delete('/advisor', { summary: 'Clear the conversation' }, async (c) => {
    await clearConversation(c.deps, c.customer.id)
  })

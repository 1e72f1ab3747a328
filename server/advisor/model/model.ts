import { dayOf } from '#server/calendar/zone.ts'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, type ModelMessage, Output } from 'ai'
import { HELP_TEXTS, ARTICLE_IDS } from '#contract/help-texts.ts'
import { type AdvisorAsk, type ModelSelection, modelSelection } from '#server/advisor/questions/selection.ts'
import type { Config } from '#server/bank/config.ts'

export type Endpoint = NonNullable<Config['advisor']>

/** The longest output in tokens. A selection is short, so a longer output is invalid. */
const MAX_TOKENS = 600
/** The size limit of one response after decompression. */
const MAX_BYTES = 200_000

/** The model's input: the question, and the earlier questions with their interpretations, oldest first. */
export type Prompt = {
  question: string
  before: readonly { question: string; asks: readonly AdvisorAsk[] }[]
  language: string
  now: Date
}

/** The reason why the model's output is ignored and the rules' interpretation applies. */
export class NotUsable extends Error {
  override readonly name = 'NotUsable'
}

/**
 * Returns the model's selection for a question. Throws NotUsable for an incomplete selection, and any error of the endpoint.
 */
export async function selectBy(endpoint: Endpoint, prompt: Prompt, signal: AbortSignal): Promise<ModelSelection> {
  const { output, finishReason } = await generateText({
    model: modelAt(endpoint),
    output: Output.object({ schema: modelSelection, name: 'selection' }),
    instructions: instructionsIn(prompt),
    messages: [...prompt.before.flatMap(messagesOf), { role: 'user', content: prompt.question }],
    maxRetries: 0,
    maxOutputTokens: MAX_TOKENS,
    abortSignal: AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]),
  })
  if (finishReason !== 'stop') throw new NotUsable('It was cut short')
  return output
}

const messagesOf = ({ question, asks }: Prompt['before'][number]): ModelMessage[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: JSON.stringify({ asks }) },
]

function modelAt({ url, key, model }: Endpoint) {
  const provider = createOpenAICompatible({
    name: 'advisor',
    baseURL: url,
    supportsStructuredOutputs: true,
    ...(key !== null && { apiKey: key }),
    fetch: async (input, init) => {
      // A redirect is an error, because no other server may receive customers' questions.
      const answer = await fetch(input, { ...init, redirect: 'error' })
      return answer.body ? new Response(answer.body.pipeThrough(limited()), answer) : answer
    },
  })
  return provider(model)
}

/** Aborts a response that exceeds the size limit after decompression. */
function limited(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MAX_BYTES) controller.error(new NotUsable('It sends too much'))
      else controller.enqueue(chunk)
    },
  })
}

const ARTICLES = ARTICLE_IDS.map((id) => `${id}: ${HELP_TEXTS[`${id}.title`]}`).join('\n')

const instructionsIn = ({ language, now }: Prompt): string =>
  [
    'A customer of a bank asks about their own money. Say which questions they ask, in their order, as JSON; answer nothing.',
    `Today is ${dayOf(now)}. The customer's language has the code "${language}".`,
    'Choose an intent for each question. Leave "asks" empty where no intent fits.',
    'spending: what was spent, of a category, of a kind of shop, or paid to a name. charge: what a payment of an amount was. payday: when income comes. end_loan: to end or repay a loan. goal_what_if: when a goal is reached by an amount each month. recurring: subscriptions. upcoming: what is due. how_to: how something is done in the app.',
    'period: "2026", "2026-07", "2026-07-14" or "2026-07-01/2026-07-07"; null for now and for this month. name: as the customer wrote it. amountMinor: US cents. A question that goes on with the one before has what that one had.',
    `article, of how_to alone:\n${ARTICLES}`,
  ].join('\n')

import { i18n } from '@lingui/core'
import { textId } from '#contract/code-texts.ts'
import type { TextCode } from '#contract/texts.ts'
import type { ArticleId } from '#contract/help-texts.ts'

type StepCode = TextCode<'help_step'>

/** Returns a text of an article, or null if the article has none. The texts load with the article (article-texts.ts). */
function readText(code: `${ArticleId}.${string}`): string | null {
  const id = textId('help_step', code as StepCode)
  return id in i18n.messages ? i18n._(id) : null
}

/** Returns an article's steps in order. */
export function stepsOf(article: ArticleId): string[] {
  const steps: string[] = []
  for (let step = readText(`${article}.step_1`); step !== null; step = readText(`${article}.step_${steps.length + 1}`))
    steps.push(step)
  return steps
}

/** Returns the advice if the steps of an article fail; null if the article has no advice. */
export const fallbacksOf = (article: ArticleId): string | null => readText(`${article}.fails`)

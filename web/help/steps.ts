import { i18n } from '@lingui/core'
import { textId } from '#contract/said.ts'
import type { TextCode } from '#contract/texts.ts'
import type { ArticleId } from '#contract/help-texts.ts'

type StepCode = TextCode<'help_step'>

/** A text of an article; null where it has none of the kind. Its words come with the article's own (article-texts.ts). */
function said(code: `${ArticleId}.${string}`): string | null {
  const id = textId('help_step', code as StepCode)
  return id in i18n.messages ? i18n._(id) : null
}

/** What to do, one step after the other. */
export function stepsOf(article: ArticleId): string[] {
  const steps: string[] = []
  for (let step = said(`${article}.step_1`); step !== null; step = said(`${article}.step_${steps.length + 1}`))
    steps.push(step)
  return steps
}

/** What to do where that does not work. */
export const failsOf = (article: ArticleId): string | null => said(`${article}.fails`)

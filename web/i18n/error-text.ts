import { i18n } from '@lingui/core'
import type { ErrorCode } from '#contract/errors.ts'
import { textId } from '#contract/said.ts'

/** What a person reads about a refusal. `english` is what the bank wrote, for a code that no text here goes with. */
export const errorText = (code: ErrorCode, english: string = code) =>
  i18n._(textId('error', code), {}, { message: english })

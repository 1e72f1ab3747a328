import { i18n } from '@lingui/core'
import type { ErrorCode } from '#contract/errors.ts'
import { textId } from '#contract/code-texts.ts'

/** Returns the text of an error code. `english` is the server's message, for a code that this page has no text for. */
export const errorText = (code: ErrorCode, english: string = code) =>
  i18n._(textId('error', code), {}, { message: english })

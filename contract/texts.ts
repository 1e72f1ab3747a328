import { DEVICE_NAMES } from '#contract/devices.ts'
import { DECLINE_REASON_TEXTS } from '#contract/decline-reasons.ts'
import { CATEGORIES } from '#contract/categories.ts'
import { STATUS_LABELS } from '#contract/transaction-status.ts'
import { ERRORS } from '#contract/errors.ts'
import { NETWORK_ZONES, SECURITY_EVENTS } from '#contract/security-events.ts'
import { DISPUTE_REASONS } from '#contract/dispute-reasons.ts'
import { DOCUMENT_TYPES } from '#contract/documents.ts'
import { HELP_STEPS } from '#contract/help-steps.ts'
import { HELP_TEXTS } from '#contract/help-texts.ts'
import { NOTICE_TEXTS } from '#contract/notice-texts.ts'
import { REVIEW_REASONS } from '#contract/review-reasons.ts'
import { LABELS, METHODS } from '#contract/line-texts.ts'

/**
 * The texts of the codes that server and web app share, in English. The catalogs contain the translation of each text under the
 * id `<table>.<code>`.
 */
export const TEXTS = {
  error: Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
    [Code in keyof typeof ERRORS]: string
  },
  label: LABELS,
  method: METHODS,
  category: CATEGORIES,
  transaction_status: STATUS_LABELS,
  network_zone: NETWORK_ZONES,
  security_event: SECURITY_EVENTS,
  device: DEVICE_NAMES,
  document_type: { ...DOCUMENT_TYPES.id, ...DOCUMENT_TYPES.selfie, ...DOCUMENT_TYPES.address },
  review_reason: REVIEW_REASONS,
  decline_reason: DECLINE_REASON_TEXTS,
  dispute_reason: DISPUTE_REASONS,
  notice: NOTICE_TEXTS,
  help: HELP_TEXTS,
  help_step: HELP_STEPS,
} as const satisfies Record<string, Record<string, string>>

export type TextTable = keyof typeof TEXTS
export type TextCode<Table extends TextTable> = keyof (typeof TEXTS)[Table] & string

/** Returns the text of a code in one language. The values in `params` replace the parameters in braces. */
export type TextOf = <Table extends TextTable>(
  table: Table,
  code: TextCode<Table>,
  params?: Record<string, unknown>,
) => string

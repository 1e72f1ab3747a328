import { Trans, useLingui } from '@lingui/react/macro'
import type { Transaction } from '#contract/accounts.ts'
import { DISPUTE_REASON_CODES, type DisputeReason } from '#contract/dispute-reasons.ts'
import { openDispute } from '#web/disputes/queries.ts'
import { creditText } from '#web/disputes/shared/outcome.ts'
import { disputeReasonText } from '#web/i18n/dispute-words.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldNote } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

type ReportSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; payment: Transaction }

/** Reports a problem with a card payment. */
export function ReportSheet({ open, onOpenChange, payment }: ReportSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Report a problem`}
      description={t`What's wrong with this payment`}
    >
      <ReportForm payment={payment} onDone={() => onOpenChange(false)} />
    </Sheet>
  )
}

type Values = { reason: DisputeReason | ''; description: string }

function ReportForm({ payment, onDone }: { payment: Transaction; onDone: () => void }) {
  const { t } = useLingui()
  const check: FormCheck<Values> = ({ reason }) =>
    formErrors(reason === '' && { field: 'reason', code: 'fields_missing', text: t`Choose what's wrong` })
  const form = useForm({
    initial: { reason: '', description: '' },
    check,
    read: ({ reason, description }) => ({
      transactionId: payment.id,
      reason: reason as DisputeReason,
      ...(description.trim() && { description: description.trim() }),
    }),
    send: openDispute,
    loading: () => t`Reporting the problem…`,
    success: ({ dispute }) => {
      const description = creditText(dispute)
      return { message: t`Thank you. We're looking into it.`, ...(description !== null && { description }) }
    },
    onDone,
  })
  const { value, onChange, error } = form.field('reason')
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="pb-2 text-sm font-medium text-ink-soft">
          <Trans>What's wrong with it?</Trans>
        </legend>
        {DISPUTE_REASON_CODES.map((reason) => (
          <Reason key={reason} reason={reason} checked={value === reason} onChoose={() => onChange(reason)} />
        ))}
        <FieldNote id="dispute-reason" error={error} />
      </fieldset>
      <TextArea {...form.field('description')} label={t`What happened? (optional)`} maxLength={500} />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans comment="Reports a problem with a payment">Report</Trans>
      </Button>
    </form>
  )
}

function Reason({ reason, checked, onChoose }: { reason: DisputeReason; checked: boolean; onChoose: () => void }) {
  return (
    <label
      className={cx(
        'relative flex min-h-13 cursor-pointer items-center gap-3 rounded-control border bg-surface px-4 py-2 transition-colors hover:bg-muted/60',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        checked ? 'border-primary ring-1 ring-primary' : 'border-line',
      )}
    >
      <input
        type="radio"
        name="reason"
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="min-w-0 flex-1">{disputeReasonText(reason)}</span>
    </label>
  )
}

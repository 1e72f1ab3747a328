import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { ColumnMapping, ImportedPayment, ImportPreview, ImportRequest } from '#contract/statements.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { categoryText } from '#web/i18n/words.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { MappingFields } from '#web/statements/imports/mapping-fields.tsx'
import { importFile, previewImport } from '#web/statements/imports/queries.ts'
import { dayRange } from '#web/statements/imports/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type Read = { request: ImportRequest; preview: ImportPreview }
type PreviewSheetProps = { open: boolean; read: Read; onClose: () => void }

function useKeeping() {
  const { t } = useLingui()
  return useSubmission({
    send: importFile,
    loading: () => t`Importing…`,
    success: ({ added }) => ({ message: plural(added, { one: '# payment imported', other: '# payments imported' }) }),
    outcome: () => ({
      sent: t`Your file was imported after all`,
      notSent: t`Cancelled. Nothing was imported`,
    }),
  })
}

/** What is in a file before it is kept. Of a table, the customer may say which column is what. */
export function PreviewSheet({ open, read, onClose }: PreviewSheetProps) {
  const { t } = useLingui()
  const again = useMutation({
    mutationFn: async (mapping: ColumnMapping): Promise<Read> => {
      const request = { ...read.request, mapping }
      return { request, preview: await previewImport(request) }
    },
    retry: false,
  })
  const { submit, busy } = useKeeping()
  const { request, preview } = again.data ?? read
  const problem = errorMessage(again.error)
  const fresh = preview.count - preview.duplicates
  const keep = async () => {
    if ((await submit(request)) !== null) onClose()
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose()
      }}
      title={t`Check the Import`}
      description={request.fileName}
      footer={
        <Button
          className="w-full"
          busy={busy || again.isPending}
          disabled={fresh === 0 || problem !== null}
          onClick={() => void keep()}
        >
          <Plural value={fresh} _0="Nothing New to Import" one="Import # Payment" other="Import # Payments" />
        </Button>
      }
    >
      <div className="space-y-5">
        {problem === null ? (
          <Found preview={preview} />
        ) : (
          <p role="alert" className="rounded-control bg-danger-subtle px-4 py-3 text-sm font-medium text-danger">
            {problem}
          </p>
        )}
        {preview.format === 'csv' && (
          <MappingFields
            columns={preview.columns}
            mapping={again.variables ?? preview.mapping}
            onChange={(mapping) => again.mutate(mapping)}
          />
        )}
      </div>
    </Sheet>
  )
}

function Found({ preview: { count, duplicates, skipped, firstOn, lastOn, payments } }: { preview: ImportPreview }) {
  const today = useBusinessDay()
  if (count === 0) {
    return (
      <p className="text-pretty">
        <Trans>We couldn't tell which column is which. Please choose them below.</Trans>
      </p>
    )
  }
  const days = dayRange(firstOn, lastOn, today)
  return (
    <div aria-live="polite">
      <p className="font-medium">
        <Facts
          facts={[
            { key: 'count', fact: <Plural value={count} one="# payment" other="# payments" /> },
            ...(days === null ? [] : [{ key: 'days', fact: days }]),
          ]}
        />
      </p>
      {duplicates > 0 && (
        <p className="text-sm text-ink-soft">
          <Trans>You already have {duplicates} of them.</Trans>
        </p>
      )}
      {skipped > 0 && (
        <p className="text-sm text-ink-soft">
          <Plural
            value={skipped}
            one="# line has no payment in it and is left out."
            other="# lines have no payment in them and are left out."
          />
        </p>
      )}
      <ul className="mt-3 divide-y divide-line rounded-card border border-line">
        {payments.map((payment, index) => (
          // They are read as they stand, and two may be alike.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <PaymentRow payment={payment} today={today} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function PaymentRow({ payment, today }: { payment: ImportedPayment; today: Date | null }) {
  const { name, category, bookedOn, amountMinor, asset } = payment
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      <CategoryIcon category={category} incoming={amountMinor > 0} />
      <div className="min-w-0 flex-1 basis-28">
        <div className="font-medium break-words">
          <bdi>{name}</bdi>
        </div>
        <div className="text-sm text-ink-soft">
          <Facts
            facts={[
              { key: 'category', fact: categoryText(category) },
              { key: 'day', fact: shortDay(`${bookedOn}T00:00:00Z`, today) },
            ]}
          />
        </div>
      </div>
      <Money
        amountMinor={amountMinor}
        asset={asset}
        sign="always"
        className={amountMinor > 0 ? 'ms-auto font-semibold text-success' : 'ms-auto font-semibold'}
      />
    </div>
  )
}

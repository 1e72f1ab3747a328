import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, Undo2 } from 'lucide-react'
import { accountDetailsQuery } from '#web/account-details/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { recallTransfer } from '#web/sample/other-banks-queries.ts'
import { useShowAction } from '#web/sample/show-action.ts'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheet = async () => (await import('#web/sample/pay-in-sheet.tsx')).PayInSheet

/** Shows rows that simulate people at other banks: a payment to the customer, and the reversal of such a payment. */
export function PayIn() {
  const { t } = useLingui()
  const details = useQuery(accountDetailsQuery).data?.details
  const sheets = useSheets(loadSheet, true)
  const show = useShowAction(paths.transactions)
  const recall = useSubmission({
    send: (_: 'recall', key) => recallTransfer(key),
    loading: () => t`Waiting for the sender's bank…`,
    success: ({ name, amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { message: t`${name}'s bank reversed a transfer of ${amount}`, action: show }
    },
  })
  return (
    <Section title={t`Other People's Banks`}>
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={ArrowDownLeft}
          directed
          title={t`Get Paid from Another Bank`}
          description={t`Someone sends money to your account number`}
          opens
          disabled={!details}
          onClick={() => sheets.show(null)}
        />
        <ButtonRow
          icon={Undo2}
          directed
          tint="orange"
          title={t`Have a Transfer Reversed`}
          description={t`The sender's bank reverses the last transfer you received`}
          busy={recall.busy}
          onClick={() => void recall.submit('recall')}
        />
      </Card>
      {sheets.render(details ?? undefined)}
    </Section>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Card, CardMoveRequest } from '#contract/cards.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { moveCardMoney } from '#web/cards/queries.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'move-card-money'

type MoveProps = { card: Card; open: boolean; onOpenChange: (open: boolean) => void }
type Direction = CardMoveRequest['direction']

function useMoveForm(direction: Direction, { card, onOpenChange }: MoveProps) {
  const { t } = useLingui()
  const { name } = card
  const check: FormCheck<{ amount: string }> = ({ amount }) => amountErrors('amount', amount)
  return useForm({
    initial: { amount: '' },
    startAt: 'amount',
    check,
    read: ({ amount }) => ({ direction, amountMinor: parseMinor(amount), asset: 'USD' as const }),
    send: (content, key) => moveCardMoney(card.id, content, key),
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Moving ${amount}…`
    },
    success: ({ transaction }, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return {
        message: transaction.amountMinor < 0 ? t`${amount} added to ${name}` : t`${amount} back in your account`,
      }
    },
    refusedField: () => 'amount',
    onDone: () => onOpenChange(false),
  })
}

/** Moves money to or from a virtual card. */
export function MoveSheet(props: MoveProps) {
  const { t } = useLingui()
  const { card, open, onOpenChange } = props
  const [chosenDirection, setChosen] = useState<Direction>('to_card')
  const direction = card.used ? 'from_card' : chosenDirection
  const form = useMoveForm(direction, props)
  const account = useQuery(dashboardQuery).data?.account
  const availableMinor = direction === 'to_card' ? account?.availableMinor : card.availableMinor
  const isShort = availableMinor !== undefined && parseMinor(form.values.amount) > availableMinor
  const available = availableMinor === undefined ? null : money(availableMinor, card.asset)
  const { error, ...field } = form.field('amount')
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Add or withdraw money`}
      description={t`Money moves right away between this card and your account.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          {direction === 'to_card' ? (
            <Trans context="to a card">Add Money</Trans>
          ) : (
            <Trans context="from a card">Withdraw Money</Trans>
          )}
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {!card.used && (
          <Segmented
            label={t({ message: 'Direction', comment: 'The direction of a transfer to or from a card' })}
            value={direction}
            onChange={setChosen}
            options={[
              { value: 'to_card', label: t({ message: 'Add', context: 'money to a card' }) },
              { value: 'from_card', label: t({ message: 'Withdraw', context: 'money from a card' }) },
            ]}
          />
        )}
        <AmountField
          {...field}
          label={t`Amount`}
          error={error ?? (isShort ? errorText('insufficient_funds') : undefined)}
          hint={
            <span className="tabular">
              {available
                ? direction === 'to_card'
                  ? t`${available} in your account`
                  : t`${available} on this card`
                : ' '}
            </span>
          }
        />
      </form>
    </Sheet>
  )
}

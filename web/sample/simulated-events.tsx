import { Trans, useLingui } from '@lingui/react/macro'
import { Banknote, CircleX, Globe, HandCoins, Handshake, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { money } from '#web/i18n/formats.ts'
import { SHOP_CATEGORIES, type ShopCategory } from '#contract/categories.ts'
import type { ChargeRequest } from '#contract/sample.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { useSubmission } from '#web/lib/submission.ts'
import { chargeCard, friendAsks, friendPays, paySalary } from '#web/sample/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Shows buttons that simulate card payments at shops, a salary, and the requests and payments of friends. */
export function SimulatedEvents() {
  const { t } = useLingui()
  const charge = useSubmission({
    send: (request: ChargeRequest, key) => chargeCard(request, key),
    loading: () => t`Paying with your card…`,
    success: ({ transaction }) => {
      // A notification already explains why the payment was declined.
      if (!transaction) return null
      const amount = money(-transaction.amountMinor, transaction.asset)
      const shop = nameText(transaction.name)
      return { message: t({ message: `${amount} paid at ${shop}`, comment: '{amount} is an amount that was paid' }) }
    },
  })
  const salary = useSubmission({
    send: (_: 'salary', key) => paySalary(key),
    loading: () => t`Waiting for your salary…`,
    success: () => ({ message: t`Payday!` }),
  })
  return (
    <Section title={t`Make Something Happen`}>
      <Card className="@container">
        <ul className="grid grid-cols-2 gap-px bg-line @max-[12rem]:grid-cols-1">
          <EventButton wide onClick={() => void charge.submit({})}>
            <RowIcon icon={Store} tint="plain" />
            <ButtonText title={t`Pay by Card`}>
              <Trans>At any store, for a typical amount</Trans>
            </ButtonText>
          </EventButton>
          {SHOP_CATEGORIES.map((category) => (
            <EventButton key={category} onClick={() => void charge.submit({ category })}>
              <CategoryIcon category={category} />
              <ChargeText category={category} />
            </EventButton>
          ))}
          <OtherCharges onCharge={(where) => void charge.submit(where)} />
          <EventButton wide onClick={() => void salary.submit('salary')}>
            <RowIcon icon={Banknote} />
            <ButtonText title={t`Receive Your Salary`}>
              <Trans>From your employer's bank</Trans>
            </ButtonText>
          </EventButton>
          <Friends />
        </ul>
      </Card>
    </Section>
  )
}

/** Shows buttons for friends who request money and pay the customer's requests. */
function Friends() {
  const { t } = useLingui()
  const request = useSubmission({
    send: (_: 'request', key) => friendAsks(key),
    loading: () => t`Waiting for a friend…`,
    success: ({ request: { name, amountMinor, asset } }) => {
      const friend = name ?? ''
      const amount = money(amountMinor, asset)
      return { message: t`${friend} requested ${amount}` }
    },
  })
  const friendPayment = useSubmission({
    send: (_: 'paid', key) => friendPays(key),
    loading: () => t`Waiting for a friend…`,
    success: () => null,
  })
  return (
    <>
      <EventButton wide onClick={() => void request.submit('request')}>
        <RowIcon icon={HandCoins} tint="orange" />
        <ButtonText title={t`Receive a Request`}>
          <Trans>From one of your friends</Trans>
        </ButtonText>
      </EventButton>
      <EventButton wide onClick={() => void friendPayment.submit('paid')}>
        <RowIcon icon={Handshake} />
        <ButtonText title={t`Have a Friend Pay`}>
          <Trans>An amount you requested, or their share of a bill</Trans>
        </ButtonText>
      </EventButton>
    </>
  )
}

/** Shows buttons for a card payment abroad and for a declined card payment. */
function OtherCharges({ onCharge }: { onCharge: (request: ChargeRequest) => void }) {
  const { t } = useLingui()
  return (
    <>
      <EventButton wide onClick={() => onCharge({ where: 'abroad' })}>
        <RowIcon icon={Globe} tint="blue" />
        <ButtonText title={t`Pay by Card Abroad`}>
          <Trans>At a store in Lisbon</Trans>
        </ButtonText>
      </EventButton>
      <EventButton wide onClick={() => onCharge({ where: 'declined' })}>
        <RowIcon icon={CircleX} tint="danger" />
        <ButtonText title={t`Get Declined`}>
          <Trans>A payment over your card's limit</Trans>
        </ButtonText>
      </EventButton>
    </>
  )
}

type EventButtonProps = { wide?: boolean; onClick: () => void; children: ReactNode }

function EventButton({ wide = false, onClick, children }: EventButtonProps) {
  return (
    <li className={cx('bg-surface', wide && 'col-span-full')}>
      <button
        type="button"
        onClick={onClick}
        className={cx(
          'flex min-h-16 w-full items-center py-2.5 -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted',
          // On a narrow phone, the longest category does not fit beside its icon.
          wide
            ? 'gap-3 px-4 text-start'
            : 'gap-3 ps-4 pe-1 text-start @max-[20rem]:flex-col @max-[20rem]:gap-2 @max-[20rem]:px-1',
        )}
      >
        {children}
      </button>
    </li>
  )
}

/** Shows only the category. A screen reader gets the full action of the button. */
function ChargeText({ category: code }: { category: ShopCategory }) {
  const category = categoryText(code)
  return (
    <span className="min-w-0 text-sm font-medium">
      <Trans comment="Only a screen reader reads the first part. The category, such as Transport, is the label on the button">
        <span className="sr-only">Pay by Card: </span>
        {category}
      </Trans>
    </span>
  )
}

function ButtonText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{title}</span>
      <span className="block text-sm text-ink-soft">{children}</span>
    </span>
  )
}

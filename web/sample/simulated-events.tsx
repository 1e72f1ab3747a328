import { Trans, useLingui } from '@lingui/react/macro'
import { Banknote, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { money } from '#web/i18n/formats.ts'
import { SHOP_CATEGORIES, type ShopCategory } from '#contract/categories.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { useSubmission } from '#web/lib/submission.ts'
import { chargeCard, paySalary } from '#web/sample/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'

/** What shops and an employer would do, at the touch of a button. */
export function SimulatedEvents() {
  const { t } = useLingui()
  const charge = useSubmission({
    send: (category: ShopCategory | null, key) => chargeCard(category ? { category } : {}, key),
    loading: () => t`Paying with your card…`,
    success: ({ transaction }) => {
      const amount = money(-transaction.amountMinor, transaction.asset)
      const shop = nameText(transaction.name)
      return { message: t({ message: `${amount} paid at ${shop}`, comment: 'The amount was paid' }) }
    },
  })
  const salary = useSubmission({
    send: (_: 'salary', key) => paySalary(key),
    loading: () => t`Waiting for your salary…`,
    success: () => ({ message: t`Payday!` }),
  })
  return (
    <Section title={t`Make Something Happen`}>
      <Card>
        <ul className="grid grid-cols-2 gap-px bg-line">
          <EventButton wide onClick={() => void charge.submit(null)}>
            <span aria-hidden className="grid size-11 shrink-0 place-items-center rounded-full bg-muted text-ink-soft">
              <Store className="size-5" strokeWidth={1.9} />
            </span>
            <ButtonText title={t`Pay by Card`}>
              <Trans>At any shop, for a typical amount</Trans>
            </ButtonText>
          </EventButton>
          {SHOP_CATEGORIES.map((category) => (
            <EventButton key={category} onClick={() => void charge.submit(category)}>
              <CategoryIcon category={category} />
              <ChargeText category={category} />
            </EventButton>
          ))}
          <EventButton wide onClick={() => void salary.submit('salary')}>
            <span
              aria-hidden
              className="grid size-11 shrink-0 place-items-center rounded-full bg-primary-subtle text-primary"
            >
              <Banknote className="size-5" strokeWidth={1.9} />
            </span>
            <ButtonText title={t`Receive Your Salary`}>
              <Trans>From your employer's bank</Trans>
            </ButtonText>
          </EventButton>
        </ul>
      </Card>
    </Section>
  )
}

type EventButtonProps = { wide?: boolean; onClick: () => void; children: ReactNode }

function EventButton({ wide = false, onClick, children }: EventButtonProps) {
  return (
    <li className={cx('bg-surface', wide && 'col-span-2')}>
      <button
        type="button"
        onClick={onClick}
        className={cx(
          'flex min-h-16 w-full items-center py-2.5 -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted',
          // On a narrow phone the longest category has no room beside its picture.
          wide
            ? 'gap-3 px-4 text-start'
            : 'gap-3 ps-4 pe-1 text-start max-[23rem]:flex-col max-[23rem]:gap-2 max-[23rem]:px-1',
        )}
      >
        {children}
      </button>
    </li>
  )
}

/** The category is all that is seen; a screen reader says what the button does. */
function ChargeText({ category: code }: { category: ShopCategory }) {
  const category = categoryText(code)
  return (
    <span className="min-w-0 text-sm font-medium">
      <Trans comment="The first part is only read aloud; the category, such as Transport, stands on the button">
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

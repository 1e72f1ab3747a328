import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ArrowDownLeft, ArrowUpRight, type LucideIcon, Plus, Split, WalletCards } from 'lucide-react'
import type { TabSheetProps } from '#web/app/shell/tab-sheet-props.ts'
import { paths } from '#web/lib/paths.ts'
import { Contacts } from '#web/payments/shared/contacts.tsx'
import { LinkRow, type RowTint } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type PaymentOption = {
  path: string
  title: MessageDescriptor
  description: MessageDescriptor
  icon: LucideIcon
  tint: RowTint
  directed?: true
}

const PAYMENT_OPTIONS: readonly PaymentOption[] = [
  {
    path: paths.transfer,
    title: msg`Send Money`,
    description: msg`To anyone, by email or phone`,
    icon: ArrowUpRight,
    tint: 'primary',
    directed: true,
  },
  {
    path: paths.request,
    title: msg`Request Money`,
    description: msg`From anyone, or with a link`,
    icon: ArrowDownLeft,
    tint: 'blue',
    directed: true,
  },
  {
    path: paths.splitBill,
    title: msg`Split Bill`,
    description: msg`Split a bill, or track a group's expenses`,
    icon: Split,
    tint: 'purple',
  },
  {
    path: paths.addMoney,
    title: msg`Add Money`,
    description: msg`By card, bank transfer or wallet`,
    icon: Plus,
    tint: 'orange',
  },
  {
    path: paths.paymentMethods,
    title: msg`Payment Methods`,
    description: msg`Linked accounts and direct debits`,
    icon: WalletCards,
    tint: 'plain',
  },
]

/** The sheet with all ways to pay and to be paid, including the latest recipients. */
export function PaySheet({ open, onClose, go, linkTo }: TabSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t`Pay and get paid`}
      description={t`All the ways to send, request, split and add money.`}
    >
      <div className="flex flex-col gap-3">
        <Contacts chosen="" onChoose={(recipient) => go(paths.transfer, { recipient })} />
        <Card>
          <ul className="divide-y divide-line">
            {PAYMENT_OPTIONS.map(({ path, title, description, ...iconProps }) => (
              <li key={path}>
                <LinkRow {...linkTo(path)} {...iconProps} title={t(title)} description={t(description)} />
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Sheet>
  )
}

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Bell,
  BellRing,
  Bitcoin,
  ChartPie,
  CreditCard,
  FileText,
  FlaskConical,
  Gift,
  Globe,
  HandCoins,
  History,
  House,
  Landmark,
  Leaf,
  LifeBuoy,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  PiggyBank,
  Plus,
  ReceiptText,
  Settings,
  ShieldCheck,
  Sparkles,
  Split,
  TrendingUp,
  UserRound,
  WalletCards,
} from 'lucide-react'
import { paths } from '#web/lib/paths.ts'

/** An entry of the rail, the sheet More and the command palette: a screen that can be opened directly. */
export type NavigationItem = {
  path: string
  label: MessageDescriptor
  icon: LucideIcon
  /** The position in the rail. Items without a position are only in the palette and the sheet More. */
  rail?: 'first' | 'more' | 'last'
  /** The screens for which the rail marks this item as the current one. */
  holds?: readonly string[]
  /** Other search terms for the screen. */
  words?: MessageDescriptor
  sampleOnly?: true
}

/** The navigation items, in the order of the rail. Each new screen needs one entry here, beside its route. */
export const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  {
    path: paths.dashboard,
    label: msg`Home`,
    icon: House,
    rail: 'first',
    holds: [paths.accountDetails],
    words: msg`dashboard balance account`,
  },
  {
    path: paths.transactions,
    label: msg`Transactions`,
    icon: ReceiptText,
    rail: 'first',
    holds: [paths.transactionDetail, paths.statements],
    words: msg`payments history receipts`,
  },
  {
    path: paths.transfer,
    label: msg({ message: 'Send', context: 'money' }),
    icon: ArrowUpRight,
    rail: 'first',
    words: msg`send money transfer pay`,
  },
  {
    path: paths.request,
    label: msg({ message: 'Request', context: 'money' }),
    icon: ArrowDownLeft,
    rail: 'first',
    words: msg`request money`,
  },
  { path: paths.addMoney, label: msg`Add Money`, icon: Plus, rail: 'first', words: msg`top up deposit` },
  { path: paths.cards, label: msg`Cards`, icon: CreditCard, rail: 'first', words: msg`debit virtual freeze limits` },
  { path: paths.savings, label: msg`Savings`, icon: PiggyBank, rail: 'first', words: msg`goals` },
  {
    path: paths.invest,
    label: msg`Invest`,
    icon: TrendingUp,
    rail: 'first',
    words: msg`portfolio funds stocks shares bonds investing`,
  },
  { path: paths.aiAdvisor, label: msg`AI Advisor`, icon: Sparkles, rail: 'more', words: msg`chat` },
  { path: paths.analytics, label: msg`Analytics`, icon: ChartPie, rail: 'more', words: msg`spending` },
  { path: paths.crypto, label: msg`Crypto`, icon: Bitcoin, rail: 'more', words: msg`bitcoin ethereum litecoin coins` },
  {
    path: paths.carbonFootprint,
    label: msg`Carbon Footprint`,
    icon: Leaf,
    rail: 'more',
    words: msg`co2 emissions climate offset`,
  },
  { path: paths.loans, label: msg`Loans`, icon: HandCoins, rail: 'more', words: msg`borrow credit score repay` },
  { path: paths.splitBill, label: msg`Split Bill`, icon: Split, rail: 'more' },
  { path: paths.rewards, label: msg`Rewards`, icon: Gift, rail: 'more', words: msg`points` },
  {
    path: paths.notifications,
    label: msg`Notifications`,
    icon: Bell,
    rail: 'last',
    holds: [paths.notificationPreferences],
  },
  {
    path: paths.settings,
    label: msg`Settings`,
    icon: Settings,
    rail: 'last',
    holds: [
      paths.personalInfo,
      paths.securityPrivacy,
      paths.devices,
      paths.securityActivity,
      paths.paymentMethods,
      paths.language,
      paths.helpCenter,
      paths.helpArticle,
      paths.kyc,
    ],
    words: msg`dark mode preferences`,
  },
  {
    path: paths.statements,
    label: msg`Statements`,
    icon: FileText,
    words: msg`export PDF CSV OFX camt accounting import`,
  },
  {
    path: paths.accountDetails,
    label: msg`Account Details`,
    icon: Landmark,
    words: msg`account number routing number get paid salary direct deposit QR letter`,
  },
  {
    path: paths.personalInfo,
    label: msg`Personal Information`,
    icon: UserRound,
    words: msg`name email phone address`,
  },
  {
    path: paths.securityPrivacy,
    label: msg`Security & Privacy`,
    icon: ShieldCheck,
    words: msg`password two-factor passkey close account`,
  },
  { path: paths.devices, label: msg`Devices`, icon: MonitorSmartphone },
  { path: paths.securityActivity, label: msg`Security Activity`, icon: History, words: msg`sign-ins` },
  {
    path: paths.paymentMethods,
    label: msg`Payment Methods`,
    icon: WalletCards,
    words: msg`linked accounts bank withdraw direct debits`,
  },
  {
    path: paths.notificationPreferences,
    label: msg`Notification Preferences`,
    icon: BellRing,
    words: msg`alerts push news`,
  },
  { path: paths.language, label: msg`Language`, icon: Globe },
  { path: paths.helpCenter, label: msg`Help Center`, icon: LifeBuoy, words: msg`support contact` },
  { path: paths.sample, label: msg`Sample Controls`, icon: FlaskConical, sampleOnly: true },
  { path: paths.sampleMail, label: msg`Mailbox`, icon: Mail, sampleOnly: true },
]

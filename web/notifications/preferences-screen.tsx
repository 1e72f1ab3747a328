import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Bell,
  BellRing,
  CreditCard,
  FileText,
  HandCoins,
  type LucideIcon,
  PiggyBank,
  ShieldCheck,
  Sparkles,
  TrendingUp,
} from 'lucide-react'
import { MONEY_TOPICS, NOTICE_TOPICS, type NoticePreferences, type NoticeTopicChoice } from '#contract/notice-topics.ts'
import { paths } from '#web/lib/paths.ts'
import { useNoticePreferences } from '#web/notifications/preferences.ts'
import { PushSection } from '#web/notifications/push-section.tsx'
import { noticePreferencesQuery } from '#web/notifications/queries.ts'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type TopicLook = { icon: LucideIcon; label: MessageDescriptor; description: MessageDescriptor }

const TOPICS: Record<NoticeTopicChoice, TopicLook> = {
  money_in: { icon: ArrowDownLeft, label: msg`Money In`, description: msg`Payments to you, and money you add` },
  money_out: {
    icon: ArrowUpRight,
    label: msg`Money Out`,
    description: msg`When a payment you sent is accepted or returned`,
  },
  cards: {
    icon: CreditCard,
    label: msg({ message: 'Card Payments', comment: 'A kind of notifications' }),
    description: msg`Every payment by card`,
  },
  requests: { icon: HandCoins, label: msg`Requests`, description: msg`When someone asks you for money, or answers` },
  savings: { icon: PiggyBank, label: msg`Savings`, description: msg`Goals, round-ups and interest` },
  investing: { icon: TrendingUp, label: msg`Investing`, description: msg`Updates on what you can invest in` },
  statements: { icon: FileText, label: msg`Statements`, description: msg`When the statement of a month is ready` },
  news: {
    icon: Sparkles,
    label: msg({ message: 'News', comment: 'A kind of notifications' }),
    description: msg`New features of Alder`,
  },
}

const isMoney = (topic: NoticeTopicChoice): boolean => (MONEY_TOPICS as readonly string[]).includes(topic)

/** What the customer wants to hear of, and whether this browser shows it while the app is closed. */
export function NoticePreferencesScreen() {
  const { t } = useLingui()
  const query = useQuery(noticePreferencesQuery)
  return (
    <QueryScreen query={query} title={t`Notification Preferences`} back={paths.notifications}>
      <Preferences preferences={query.data} />
    </QueryScreen>
  )
}

function Preferences({ preferences }: { preferences: NoticePreferences | undefined }) {
  const { t } = useLingui()
  const change = useNoticePreferences()
  const isOn = preferences?.notifications
  return (
    <>
      {!preferences && <Loading label={t`Loading your preferences`} />}
      <Card>
        <SwitchRow
          icon={Bell}
          label={t`All Notifications`}
          description={t`Everything below, in the app`}
          checked={isOn}
          onChange={(notifications) => change({ notifications })}
        />
      </Card>
      <PushSection />
      <Section title={t`Money`}>
        <Card className="divide-y divide-line">
          <SwitchRow
            icon={BellRing}
            label={t`Transaction Alerts`}
            description={t`Get notified when money moves`}
            checked={preferences && isOn && preferences.transactionAlerts}
            disabled={isOn === false}
            onChange={(transactionAlerts) => change({ transactionAlerts })}
          />
          {NOTICE_TOPICS.filter(isMoney).map((topic) => (
            <Topic key={topic} topic={topic} preferences={preferences} isAbove={preferences?.transactionAlerts} />
          ))}
        </Card>
      </Section>
      <Section title={t({ message: 'Everything Else', comment: 'Heads kinds of notifications' })}>
        <Card className="divide-y divide-line">
          {NOTICE_TOPICS.filter((topic) => !isMoney(topic)).map((topic) => (
            <Topic key={topic} topic={topic} preferences={preferences} />
          ))}
          <Row
            icon={ShieldCheck}
            title={t`Security`}
            description={t`Always on: your identity and the safety of your account`}
          />
        </Card>
      </Section>
    </>
  )
}

type TopicProps = {
  topic: NoticeTopicChoice
  preferences: NoticePreferences | undefined
  /** Whether the switch above it is on. */
  isAbove?: boolean | undefined
}

/** Shows what is so: off while a switch above it is. */
function Topic({ topic, preferences, isAbove = true }: TopicProps) {
  const { t } = useLingui()
  const change = useNoticePreferences()
  const { icon, label, description } = TOPICS[topic]
  const isOpen = preferences?.notifications !== false && isAbove
  return (
    <SwitchRow
      icon={icon}
      label={t(label)}
      description={t(description)}
      checked={preferences && isOpen && preferences.topics[topic]}
      disabled={!isOpen}
      onChange={(isOn) => change({ topics: { [topic]: isOn } })}
    />
  )
}

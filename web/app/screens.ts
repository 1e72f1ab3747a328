import { type ComponentType, createElement, type ReactNode } from 'react'
import { paths } from '#web/lib/paths.ts'

type Path = (typeof paths)[keyof typeof paths]

/**
 * The loader of each screen's code, called when the screen is first opened; '*' is for unknown URLs. The first import in a
 * loader must be the screen's own file: the build reads it here (vite/pages.ts) and adds it to the head of the screen's page.
 */
export const screens: Record<Path | '*', () => Promise<ComponentType>> = {
  [paths.home]: async () => (await import('#web/onboarding/onboarding-screen.tsx')).OnboardingScreen,
  [paths.signup]: async () => (await import('#web/identity/sign-up/sign-up-screen.tsx')).SignUpScreen,
  [paths.login]: async () => (await import('#web/identity/sign-in/login-screen.tsx')).LoginScreen,
  [paths.kyc]: async () => (await import('#web/kyc/upload/kyc-screen.tsx')).KycScreen,
  [paths.dashboard]: async () => (await import('#web/accounts/dashboard/dashboard-screen.tsx')).DashboardScreen,
  [paths.transfer]: async () => (await import('#web/payments/transfer-screen.tsx')).TransferScreen,
  [paths.request]: async () => (await import('#web/requests/request-screen.tsx')).RequestScreen,
  [paths.cards]: async () => (await import('#web/cards/cards-screen.tsx')).CardsScreen,
  [paths.transactions]: async () =>
    (await import('#web/accounts/transactions/transactions-screen.tsx')).TransactionsScreen,
  [paths.transactionDetail]: async () => (await import('#web/transaction-detail/detail-screen.tsx')).DetailScreen,
  [paths.settings]: async () => (await import('#web/profile/settings-screen.tsx')).SettingsScreen,
  [paths.personalInfo]: async () => (await import('#web/profile/personal-info-screen.tsx')).PersonalInfoScreen,
  [paths.securityPrivacy]: async () => (await import('#web/profile/security/security-screen.tsx')).SecurityScreen,
  [paths.paymentMethods]: async () =>
    (await import('#web/payment-methods/payment-methods-screen.tsx')).PaymentMethodsScreen,
  [paths.language]: async () => (await import('#web/profile/language-screen.tsx')).LanguageScreen,
  [paths.helpCenter]: async () => (await import('#web/help/help-screen.tsx')).HelpScreen,
  [paths.notifications]: async () => (await import('#web/notifications/notifications-screen.tsx')).NotificationsScreen,
  [paths.addMoney]: async () => (await import('#web/accounts/add-money-screen.tsx')).AddMoneyScreen,
  [paths.invest]: async () => (await import('#web/investing/screen/invest-screen.tsx')).InvestScreen,
  [paths.savings]: async () => (await import('#web/savings/savings-screen.tsx')).SavingsScreen,
  [paths.aiAdvisor]: async () => (await import('#web/advisor/advisor-screen.tsx')).AdvisorScreen,
  [paths.analytics]: async () => (await import('#web/insights/analytics-screen.tsx')).AnalyticsScreen,
  [paths.crypto]: async () => (await import('#web/crypto/crypto-screen.tsx')).CryptoScreen,
  [paths.carbonFootprint]: async () => (await import('#web/carbon/carbon-screen.tsx')).CarbonScreen,
  [paths.loans]: async () => (await import('#web/loans/loans-screen.tsx')).LoansScreen,
  [paths.splitBill]: async () => (await import('#web/bills/split-bill-screen.tsx')).SplitBillScreen,
  [paths.rewards]: async () => (await import('#web/rewards/rewards-screen.tsx')).RewardsScreen,
  [paths.statements]: async () => (await import('#web/statements/statements-screen.tsx')).StatementsScreen,
  [paths.accountDetails]: async () =>
    (await import('#web/account-details/account-details-screen.tsx')).AccountDetailsScreen,
  [paths.notificationPreferences]: async () =>
    (await import('#web/notifications/preferences-screen.tsx')).NoticePreferencesScreen,
  [paths.devices]: async () => (await import('#web/profile/security/devices-screen.tsx')).DevicesScreen,
  [paths.securityActivity]: async () => (await import('#web/profile/security/activity-screen.tsx')).ActivityScreen,
  [paths.helpArticle]: async () => (await import('#web/help/article-screen.tsx')).ArticleScreen,
  [paths.claim]: async () => (await import('#web/payments/claim-screen.tsx')).ClaimScreen,
  [paths.resetPassword]: async () => (await import('#web/identity/password/reset-screen.tsx')).ResetScreen,
  [paths.confirmEmail]: async () => (await import('#web/identity/email/confirm-screen.tsx')).ConfirmScreen,
  [paths.review]: async () => forReviewers((await import('#web/kyc/review/review-screen.tsx')).ReviewScreen),
  [paths.reviewDisputes]: async () => forReviewers((await import('#web/disputes/disputes-screen.tsx')).DisputesScreen),
  [paths.sample]: async () => (await import('#web/sample/panel-screen.tsx')).PanelScreen,
  [paths.sampleMail]: async () => (await import('#web/sample/mail-screen.tsx')).MailScreen,
  '*': async () => (await import('#web/app/not-found-screen.tsx')).NotFoundScreen,
}

/** Returns a screen for reviewers. All other customers see the screen for an unknown URL. */
async function forReviewers(Screen: ComponentType<{ notFound: ReactNode }>): Promise<ComponentType> {
  const NotFound = await screens['*']()
  return () => createElement(Screen, { notFound: createElement(NotFound) })
}

/** The lists, each with the screens that open beside it on a wide screen. */
export const paneGroups = {
  [paths.transactions]: [paths.transactionDetail],
  [paths.settings]: [paths.personalInfo, paths.securityPrivacy, paths.paymentMethods, paths.language],
  [paths.notifications]: [paths.notificationPreferences],
  [paths.helpCenter]: [paths.helpArticle],
  // The security screen is one of the sections, and becomes the list when one of its own screens is open.
  [paths.securityPrivacy]: [paths.devices, paths.securityActivity],
} as const satisfies Partial<Record<Path, readonly Path[]>>

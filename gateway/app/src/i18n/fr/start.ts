import type { Translation } from '@florin/ui/i18n/message.ts';
import type { startEn } from '../en/start.ts';

/** French texts of the start, and texts of every screen. */
export const startFr: Translation<typeof startEn> = {
  'app.save': 'Enregistrer',
  'app.saved': 'Enregistré.',
  'app.all': 'Tout voir',
  'app.offline': 'Vous êtes hors ligne. Ces informations ne sont peut-être plus à jour.',

  'nav.label': 'Menu principal',
  'nav.home': 'Accueil',
  'nav.cards': 'Cartes',
  'nav.payments': 'Paiements',
  'nav.account': 'Compte',
  'nav.security': 'Sécurité',

  'unreachable.title': 'Florin est injoignable',
  'unreachable.lead': 'Vous êtes toujours connecté. Vérifiez votre connexion ; cette page réessaie toute seule.',

  'unreachable.as_of': 'État au {time}',
  'app.update': 'Une nouvelle version de l’application est prête.',
  'app.update_do': 'La charger',
  'sign_in.title': 'Votre argent, votre portefeuille, votre carte',
  'sign_in.lead': 'Connectez-vous avec votre portefeuille. Pas de mot de passe, et la signature ne déplace pas d’argent.',
  'sign_in.wallets': 'Choisissez un portefeuille',
  'sign_in.with': 'Continuer avec {wallet}',
  'sign_in.test_wallet': 'Portefeuille de test',
  'sign_in.test_wallet_hint':
    'Sa clé est créée et conservée dans ce navigateur. Uniquement pour essayer : n’y envoyez jamais d’argent réel.',
  'sign_in.none': 'Aucun portefeuille trouvé dans ce navigateur',
  'sign_in.none_hint':
    'Installez une extension de portefeuille, ou ouvrez cette page dans le navigateur de votre application de portefeuille. Rechargez ensuite la page.',
  'sign_in.reload': 'Recharger',
  'sign_in.waiting': 'Confirmez dans votre portefeuille…',
  'sign_in.ended': 'Vous avez été déconnecté. Connectez-vous pour continuer.',
  'sign_in.untold_title': 'Vous n’êtes déconnecté que sur cette page',
  'sign_in.untold_lead':
    'Le serveur n’a pas pu en être informé. La prochaine personne à utiliser ce navigateur pourrait continuer à votre place. Réessayez une fois en ligne, ou déconnectez tous vos appareils depuis un autre.',
  'sign_in.untold_again': 'Se déconnecter à nouveau',
  'sign_in.not_kept':
    'Ce navigateur ne laisse rien conserver à la page, par exemple parce que la fenêtre est privée. Après un rechargement, vous devrez vous reconnecter, et un portefeuille de test est perdu.',

  'next.steps': 'Étapes vers votre carte',
  'next.step_register': 'Confirmer votre adresse e-mail',
  'next.step_terms': 'Accepter les conditions',
  'next.step_identity': 'Vérifier votre identité',
  'next.step_funds': 'Indiquer d’où vient votre argent',
  'next.step_order_card': 'Commander votre carte',

  'register.title': 'Confirmez votre adresse e-mail',
  'register.lead': 'Nous vous envoyons un code. Nous écrivons à cette adresse quand un événement important concerne votre compte.',
  'register.email': 'Adresse e-mail',
  'register.email_wrong': 'Saisissez une adresse e-mail, par exemple ann@example.org.',
  'register.send': 'Envoyer le code',
  'register.sent': 'Nous avons envoyé un code à {email}.',
  'register.code': 'Code reçu par e-mail',
  'register.finish': 'Créer mon compte',
  'register.again': 'Envoyer un nouveau code',
  'register.again_in': 'Nouveau code dans {seconds} s',
  'register.other': 'Utiliser une autre adresse',
  'register.other_wallet': 'Utiliser un autre portefeuille',
  'register.read_mail': 'Lire l’e-mail',
  'register.read_mail_hint': 'Dans le bac à sable, aucun e-mail ne quitte cette machine. Ceci lit le code à votre place.',

  'terms.title': 'Acceptez les conditions',
  'terms.lead': 'Veuillez lire ces documents. Ils s’ouvrent dans un nouvel onglet.',
  'terms.accept': 'J’accepte : {name}, version {version}',
  'terms.read': 'Lire « {name} »',
  'terms.missing': 'Acceptez ceci pour continuer.',
  'terms.done': 'Accepter et continuer',

  'identity.title': 'Vérifiez votre identité',
  'identity.lead': 'La loi nous oblige à savoir qui détient un compte. Il vous faut une pièce d’identité et quelques minutes.',
  'identity.start': 'Commencer la vérification',
  'identity.again_title': 'Nous devons vérifier à nouveau',
  'identity.again_lead': 'Un élément n’était pas lisible. Veuillez refaire la vérification d’identité.',
  'identity.waits_title': 'Nous vérifions vos documents',
  'identity.waits_lead': 'Cela prend en général quelques minutes, rarement une journée. Cette page avance toute seule.',

  'funds.title': 'L’origine de votre argent',
  'funds.lead': 'La loi nous oblige à vous le demander. Vos réponses restent chez nous.',
  'funds.choose': 'Veuillez choisir',
  'funds.done': 'Envoyer les réponses',

  'set_up.title': 'Configurez votre compte',
  'set_up.lead':
    'Votre portefeuille signe que votre compte est à vous et à nous ensemble : personne ne peut déplacer votre argent seul. Les frais sont pour nous.',
  'set_up.second_key': 'Notre clé',
  'set_up.way_out': 'Sortie sans nous',
  'set_up.way_out_after': { one: 'après une heure', other: 'après {count} heures' },
  'set_up.collected': 'Nous prélevons ce que vos cartes dépensent',
  'set_up.collected_per_day': 'au plus {amount} par jour',
  'set_up.sign': 'Signer et configurer',

  'account_waits.title': 'Votre compte est en cours de configuration',
  'account_waits.lead': 'Cela prend un instant. Cette page avance toute seule.',
  'rejected.title': 'Nous ne pouvons pas vous ouvrir de compte',
  'rejected.lead': 'C’est le résultat de la vérification d’identité. Si vous pensez que c’est une erreur, contactez l’assistance.',
  'blocked.title': 'Votre compte est bloqué',
  'blocked.lead': 'Les cartes et les retraits sont suspendus. Contactez l’assistance pour savoir pourquoi.',
  'closed.title': 'Votre compte est clôturé',
  'closed.lead': 'Plus aucune opération n’est possible ici.',
};

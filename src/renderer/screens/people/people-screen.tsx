import { Screen } from '../../frame/screen.tsx';
import { navigate, useRoute } from '../../stores/route.ts';
import css from './people.module.css';
import { PeopleList } from './people-list.tsx';
import { PersonPage } from './person-page.tsx';

/** Everyone whom stored calls name, and one of them: which ids are one person, and which call broke it. */
export default function PeopleScreen() {
  const route = useRoute();
  const id = route.screen === 'people' ? route.personId : null;
  const show = (personId: string): void => navigate({ screen: 'people', personId }, { replace: true });
  return (
    <Screen title="People" sub="Everyone seen by any source, joined by their ids">
      <div className={css.page}>
        <PeopleList shown={id} onShow={show} />
        <PersonPage key={id ?? ''} id={id} />
      </div>
    </Screen>
  );
}

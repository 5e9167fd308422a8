/* What p2p_hearts/bots/lockstep.py and pool.py do in arrays, for measuring many thousand hands:
   one pack, hands as bit masks, every seat as `normal`. Compiled and called by quick.py; tests hold
   it equal to lockstep. Nothing of the program uses it. */
#include <math.h>
#include <stdint.h>

typedef uint64_t set;

enum { SEATS = 12, SUITS = 4, WISHES = 4, QUEEN = 36, JACK = 22 };
static const set SUIT[SUITS] = {0x1FFFULL, 0x1FFFULL << 13, 0x1FFFULL << 26, 0x1FFFULL << 39};

typedef struct {
    int32_t seats, moon, first_penalties, queen_points, jack_points, total;
    double heart;
    set penalty, counting, breaking;
    set wishes[2][2][SUITS + 1][WISHES]; /* first trick, hearts broken, led suit or the leader */
    int32_t values[52];
} Rules;

typedef struct {
    int32_t leader, first, broken, tricks_left, played, widow_owner, trick[SEATS], voids[SEATS];
    set taken[SEATS];
} State;

typedef struct {
    int32_t cards, places, room[SEATS + 1], card[52];
    double weight[52][SEATS + 1];
    set held[SEATS + 1];
} Hidden;

typedef struct { /* one decision */
    int seat, led, best, owner, after, clean;
    set hand, legal, out, table;
    const set *taken;
    const int *counts, *voids;
    int shooters;
} Scene;

static int top(set cards) { return 63 - __builtin_clzll(cards); }
static int low(set cards) { return __builtin_ctzll(cards); }
static int size(set cards) { return __builtin_popcountll(cards); }
static set below(int card) { return (1ULL << card) - 1; }

static int points(const Rules *r, set cards) {
    int sum = 0;
    for (cards &= r->counting; cards; cards &= cards - 1) sum += r->values[low(cards)];
    return sum;
}

static double danger(const Rules *r, int card, double exposed, set out) {
    int suit = card / 13;
    set of_suit = out & SUIT[suit];
    if (r->queen_points && suit == 2 && card >= QUEEN) {
        if (card == QUEEN) return r->queen_points * (0.3 + 0.5 * exposed);
        if (out >> QUEEN & 1) return r->queen_points * (0.1 + 0.5 * exposed);
    }
    if (r->jack_points && suit == 1 && card >= JACK) {
        if (card == JACK) return -4.0;
        if (out >> JACK & 1) return -1.0;
    }
    if (!of_suit) return 0.5;
    return exposed * (suit == 3 ? 3.2 : 2.2) * r->heart * size(of_suit & below(card)) /
           (size(of_suit) + 1);
}

static double burden(const Rules *r, const Scene *s, int suit, set held) {
    int followers = 0, guards = 0;
    double sum = 0, rounds;
    for (int seat = 0; seat < r->seats; seat++)
        followers += seat != s->seat && !(s->voids[seat] >> suit & 1);
    rounds = (double)size(s->out & SUIT[suit]) / (followers ? followers : 1) + 0.5;
    for (; held; held &= held - 1) {
        double exposed = 1 - guards++ / rounds;
        sum += danger(r, low(held), exposed > 0 ? exposed : 0, s->out);
    }
    return sum;
}

/* The chance that a seat with so many cards, of all that may hold a card, holds it. */
static double holds(const Rules *r, const Scene *s, int seat, int card) {
    int suit = card / 13, room = 0;
    if (!(s->out >> card & 1) || s->voids[seat] >> suit & 1) return 0;
    for (int other = 0; other < r->seats; other++)
        if (other != s->seat && !(s->voids[other] >> suit & 1)) room += s->counts[other];
    double chance = (double)s->counts[seat] / (room ? room : 1);
    return chance < 1 ? chance : 1;
}

static int shoot(const Rules *r, const Scene *s, set bad) {
    int chosen = -1, most = -1000000;
    if (s->led >= 0 && s->legal & SUIT[s->led]) {
        set over = s->best >= 0 ? s->legal & ~below(s->best + 1) : s->legal;
        return over ? (s->after ? top(over) : low(over)) : low(s->legal);
    }
    set pool = s->legal & (s->led < 0 ? ~bad : ~r->penalty);
    for (set left = pool ? pool : s->legal; left; left &= left - 1) {
        int card = low(left), rank = card % 13, worth;
        if (s->led < 0) worth = (card < 39) * 10000 + rank * 100 + card;
        else worth = (int)(bad >> card & 1) * 10000 - rank * 100 - card;
        if (worth > most) most = worth, chosen = card;
    }
    return chosen;
}

static int choose(const Rules *r, const Scene *s) {
    int n = r->seats, takers = 0, threat = -1, hidden = size(s->out), chosen = -1;
    double stake = 0, most = -1e18, before[SUITS], void_chance[SEATS][SUITS];
    if (!(s->legal & (s->legal - 1))) return low(s->legal);
    if (!hidden) hidden = 1;
    if (r->moon) {
        for (int seat = 0; seat < n; seat++)
            if (s->taken[seat] & r->penalty) takers |= 1 << seat;
        if (!(takers & ~(1 << s->seat))) {
            int lost = 0;
            set bad = 0;
            for (int suit = 0; suit < SUITS; suit++) {
                set out = s->out & SUIT[suit];
                int led = 0, number = size(out);
                for (set mine = s->hand & SUIT[suit]; mine; mine ^= 1ULL << top(mine), led++)
                    if (led < number && out & ~below(top(mine))) lost++, bad |= 1ULL << top(mine);
            }
            int allowed = 2 * points(r, s->taken[s->seat] & r->penalty) >= r->total;
            if (((s->out | s->hand) & r->penalty && lost <= allowed) || s->shooters >> s->seat & 1)
                return shoot(r, s, bad);
        } else if (!(takers & (takers - 1))) {
            double progress = (double)points(r, s->taken[low(takers)] & r->penalty) / r->total;
            if (progress >= 0.23) threat = low(takers), stake = 0.9 * progress * r->total;
        }
    }
    for (int suit = 0; suit < SUITS; suit++)
        before[suit] = s->legal & SUIT[suit] ? burden(r, s, suit, s->hand & SUIT[suit]) : 0;
    for (int step = 1; step <= s->after; step++) {
        int seat = (s->seat + step) % n;
        for (int suit = 0; suit < SUITS; suit++) {
            double rest = 1 - (double)s->counts[seat] / hidden, chance = 1;
            for (int left = size(s->out & SUIT[suit]); left; left--) chance *= rest > 0 ? rest : 0;
            void_chance[seat][suit] = s->voids[seat] >> suit & 1 ? 1 : chance;
        }
    }
    for (set left = s->legal; left; left &= left - 1) {
        int card = low(left), suit = card / 13, led = s->led < 0 ? suit : s->led;
        set of_suit = s->out & SUIT[suit], bit = 1ULL << card;
        int lower = size(of_suit & below(card)), higher = size(of_suit) - lower;
        double wins = suit == led && s->best < card, expected = 0, worth;
        if (wins && higher)
            for (int step = 1; step <= s->after; step++) {
                int seat = (s->seat + step) % n;
                double length = (double)s->counts[seat] * size(of_suit) / hidden;
                double over = lower ? pow((double)higher / (higher + lower), length > 1 ? length : 1)
                                    : 1;
                wins *= 1 - (1 - void_chance[seat][suit]) * over;
            }
        if (wins && !s->clean)
            for (int step = 1; step <= s->after; step++) {
                int seat = (s->seat + step) % n;
                double queen = r->queen_points * holds(r, s, seat, QUEEN), follows = 0;
                double thrown = queen + (s->out & SUIT[3] ? 0.8 * r->heart : 0);
                if (led == 3) follows = r->heart;
                else if (led == 2 && card > QUEEN) follows = queen;
                else if (led == 1 && card > JACK && r->jack_points)
                    follows = r->jack_points * holds(r, s, seat, JACK);
                expected += void_chance[seat][led] * thrown + (1 - void_chance[seat][led]) * follows;
            }
        worth = 0.3 * (before[suit] - burden(r, s, suit, s->hand & SUIT[suit] & ~bit)) -
                wins * (points(r, s->table) + r->values[card] + expected);
        if (threat >= 0) {
            if ((bit | s->table) & r->penalty) worth += stake * wins;
            if (bit & r->penalty && s->owner >= 0) {
                double part = suit == 3 && higher <= 1 ? -0.3 : -0.1;
                worth += (1 - wins) * stake * (s->owner == threat ? part : 0.5);
            }
        }
        worth = rint(worth * 1000); /* lockstep.GRAIN */
        if (worth > most) most = worth, chosen = card;
    }
    return chosen;
}

typedef struct { /* a hand in play, all cards open */
    const Rules *r;
    int leader, first, broken, tricks_left, played, led, best, owner, widow_owner, shooters;
    int counts[SEATS], voids[SEATS];
    set held[SEATS], taken[SEATS], left, table, widow;
} Hand;

static void lay(Hand *h, int card, int holds) {
    const Rules *r = h->r;
    int seat = (h->leader + h->played) % r->seats;
    set bit = 1ULL << card;
    if (!h->played) h->led = card / 13;
    if (card / 13 == h->led) {
        if (card > h->best) h->best = card, h->owner = seat;
    } else if (holds) h->voids[seat] |= 1 << h->led;
    if (holds) h->held[seat] ^= bit, h->left ^= bit, h->counts[seat]--;
    h->table |= bit;
    if (++h->played < r->seats) return;
    h->taken[h->owner] |= h->table | h->widow;
    h->left &= ~h->widow;
    h->broken |= (h->table & r->breaking) != 0;
    h->leader = h->owner;
    h->widow = h->table = 0;
    h->first = h->played = 0;
    h->led = h->best = h->owner = -1;
    h->tricks_left--;
}

static void begin(Hand *h, const Rules *r, const State *s, const set *hands, int shooters) {
    *h = (Hand){.r = r, .leader = s->leader, .first = s->first, .broken = s->broken,
                .tricks_left = s->tricks_left, .led = -1, .best = -1, .owner = -1,
                .shooters = shooters, .widow = hands[r->seats]};
    for (int seat = 0; seat < r->seats; seat++) {
        h->held[seat] = hands[seat];
        h->left |= hands[seat];
        h->counts[seat] = size(hands[seat]);
        h->taken[seat] = s->taken[seat];
        h->voids[seat] = s->voids[seat];
    }
    h->left |= h->widow;
    for (int i = 0; i < s->played; i++) lay(h, s->trick[i], 0);
    if (s->widow_owner >= 0) {
        h->taken[s->widow_owner] |= h->widow;
        h->left &= ~h->widow;
        h->widow = 0;
    }
}

static int decide(const Hand *h) {
    const Rules *r = h->r;
    int seat = (h->leader + h->played) % r->seats;
    set legal = h->held[seat];
    for (int i = 0; i < WISHES; i++) {
        set wished = legal & r->wishes[h->first][h->broken][h->led < 0 ? SUITS : h->led][i];
        if (wished) legal = wished;
    }
    Scene s = {seat, h->led, h->best, h->owner, r->seats - 1 - h->played,
               h->first && !r->first_penalties, h->held[seat], legal, h->left & ~h->held[seat],
               h->table, h->taken, h->counts, h->voids, h->shooters};
    return choose(r, &s);
}

/* Play `count` hands to the end, the first card of each given (or -1). `hands` are by lane and
   seat, the unopened widow last; `taken` is filled by lane and seat. */
void play_out(const Rules *r, const State *states, const int32_t *state, const set *hands,
              const int32_t *cards, const int32_t *shooters, int count, set *taken) {
    for (int lane = 0; lane < count; lane++) {
        Hand h;
        begin(&h, r, states + state[lane], hands + lane * (r->seats + 1), shooters[lane]);
        if (cards[lane] >= 0) lay(&h, cards[lane], 1);
        while (h.tricks_left && (h.played || h.left & r->counting)) lay(&h, decide(&h), 1);
        for (int seat = 0; seat < r->seats; seat++) taken[lane * r->seats + seat] = h.taken[seat];
    }
}

/* In how many plays of other seats `normal` would have played another card (pool.misfits). */
void misfits(const Rules *r, const State *start, int plays, const int32_t *seats,
             const int32_t *cards, const set *hands, int count, int own, int32_t *found) {
    for (int lane = 0; lane < count; lane++) {
        Hand h;
        set before[SEATS + 1];
        for (int seat = 0; seat <= r->seats; seat++)
            before[seat] = hands[lane * (r->seats + 1) + seat];
        for (int i = 0; i < plays; i++) before[seats[i]] |= 1ULL << cards[i];
        begin(&h, r, start, before, 0);
        found[lane] = 0;
        for (int i = 0; i < plays; i++) {
            if (seats[i] != own) {
                int chosen = decide(&h), card = cards[i];
                int from = chosen < card ? chosen : card, to = chosen < card ? card : chosen;
                set others = (h.left & ~h.held[seats[i]]) | h.table;
                found[lane] += chosen / 13 != card / 13 || r->values[chosen] != r->values[card] ||
                               (others & below(to) & ~below(from)) != 0;
            }
            lay(&h, cards[i], 1);
        }
    }
}

static set state_of_chance;

static double chance(void) {
    set x = state_of_chance += 0x9E3779B97F4A7C15ULL; /* splitmix64 */
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return ((x ^ x >> 31) >> 11) * (1.0 / 9007199254740992.0);
}

/* Draw up to `count` deals as worlds.Hidden.draw; return how many did not get stuck. */
int deal(const Hidden *hidden, set seed, int count, set *hands) {
    int done = 0, places = hidden->places;
    state_of_chance = seed;
    for (int lane = 0; lane < count; lane++) {
        set *hand = hands + done * places;
        int room[SEATS + 1], stuck = 0;
        for (int at = 0; at < places; at++) room[at] = hidden->room[at], hand[at] = hidden->held[at];
        for (int i = 0; i < hidden->cards && !stuck; i++) {
            double total = 0, here;
            int chosen = -1;
            for (int at = 0; at < places; at++) total += hidden->weight[i][at] * room[at];
            here = chance() * total;
            for (int at = 0; at < places; at++) {
                double weight = hidden->weight[i][at] * room[at];
                if (weight <= 0) continue;
                chosen = at;
                if ((here -= weight) < 0) break;
            }
            stuck = chosen < 0;
            if (!stuck) room[chosen]--, hand[chosen] |= 1ULL << hidden->card[i];
        }
        done += !stuck;
    }
    return done;
}

int size_of(int which) {
    return (int)(which == 0 ? sizeof(Rules) : which == 1 ? sizeof(State) : sizeof(Hidden));
}
